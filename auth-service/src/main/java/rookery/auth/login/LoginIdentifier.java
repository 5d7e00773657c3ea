// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.auth.account.Usernames;
import rookery.auth.threepid.Addresses;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** The user identifier of a login (contract.md 3.2), from {@code identifier} or from the deprecated fields beside it. */
sealed interface LoginIdentifier {
    /** An international phone number as stored in accounts. A number without a country code is never completed. */
    Pattern E164 = Pattern.compile("[1-9][0-9]{3,14}");

    /** A user ID of this tenant; the user may not exist. */
    record Named(UserId user) implements LoginIdentifier {}

    /** The user, if any, whose account has the address. */
    record Addressed(Threepid threepid) implements LoginIdentifier {}

    /** An identifier that no user can have. */
    record Nobody() implements LoginIdentifier {}

    /** M_MISSING_PARAM without an identifier, M_UNKNOWN for an unknown identifier type, M_BAD_JSON. */
    static LoginIdentifier of(JsonBody body, ServerName server) {
        var identifier = body.optionalObject("identifier");
        if (identifier == null) {
            return deprecated(body, server);
        }
        return switch (identifier.string("type")) {
            case "m.id.user" -> user(identifier.string("user"), server);
            case "m.id.thirdparty" -> address(identifier);
            case "m.id.phone" -> {
                String country = identifier.string("country");
                String number = phone(identifier);
                yield addressed(() -> Addresses.phone(country, number));
            }
            default ->
                throw new ApiException(ErrorCode.M_UNKNOWN, "there is no such type of identifier").withStatus(400);
        };
    }

    /** What a person typed into one field: a name, a user ID or a mail address. */
    static LoginIdentifier typed(String text, ServerName server) {
        return text.indexOf('@') > 0 ? addressed(() -> Addresses.email(text)) : user(text, server);
    }

    private static LoginIdentifier deprecated(JsonBody body, ServerName server) {
        String user = body.optionalString("user");
        if (user != null) {
            return user(user, server);
        }
        if (body.has("address")) {
            return address(body);
        }
        throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field identifier is missing");
    }

    private static LoginIdentifier user(String text, ServerName server) {
        String name = localpart(Usernames.folded(text), server);
        if (name == null) {
            return new Nobody();
        }
        try {
            return new Named(Usernames.checked(name, server));
        } catch (ApiException _) {
            return new Nobody();
        }
    }

    /** Null for a user ID of another server. */
    private static @Nullable String localpart(String text, ServerName server) {
        if (!text.startsWith("@")) {
            return text;
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return text.substring(1);
        }
        return text.substring(colon + 1).equals(Usernames.folded(server.value())) ? text.substring(1, colon) : null;
    }

    private static LoginIdentifier address(JsonBody fields) {
        String medium = fields.string("medium");
        String address = fields.string("address");
        return switch (medium) {
            case "email" -> addressed(() -> Addresses.email(address));
            case "msisdn" ->
                E164.matcher(address).matches() ? new Addressed(new Threepid(Medium.MSISDN, address)) : new Nobody();
            default -> new Nobody();
        };
    }

    /** An invalid address is treated as unknown: the error of a login never tells more than that the login failed. */
    private static LoginIdentifier addressed(Supplier<Threepid> address) {
        try {
            return new Addressed(address.get());
        } catch (ApiException _) {
            return new Nobody();
        }
    }

    /** Some clients send the field {@code number}. */
    private static String phone(JsonBody identifier) {
        String number = identifier.optionalString("number");
        return number == null ? identifier.string("phone") : number;
    }
}
