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

/** Whom a login is about (contract.md 3.2), in the object {@code identifier} or in the deprecated fields beside it. */
sealed interface LoginIdentifier {
    /** A number as accounts have it; nothing is mended without a country. */
    Pattern E164 = Pattern.compile("[1-9][0-9]{3,14}");

    /** A user of this tenant, who may not exist. */
    record Named(UserId user) implements LoginIdentifier {}

    /** Who has added this address to the account, if anybody. */
    record Addressed(Threepid threepid) implements LoginIdentifier {}

    /** Nobody here: a name or an address that none can have. */
    record Nobody() implements LoginIdentifier {}

    /** M_MISSING_PARAM when nobody is named, M_UNKNOWN for a kind of identifier that there is not, M_BAD_JSON. */
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
                yield known(() -> Addresses.phone(country, number));
            }
            default ->
                throw new ApiException(ErrorCode.M_UNKNOWN, "there is no such type of identifier").withStatus(400);
        };
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

    /** Null for an id of another server. */
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
            case "email" -> known(() -> Addresses.email(address));
            case "msisdn" ->
                E164.matcher(address).matches() ? new Addressed(new Threepid(Medium.MSISDN, address)) : new Nobody();
            default -> new Nobody();
        };
    }

    /** Whoever is refused learns only that, so what is no address is nobody's. */
    private static LoginIdentifier known(Supplier<Threepid> address) {
        try {
            return new Addressed(address.get());
        } catch (ApiException _) {
            return new Nobody();
        }
    }

    /** Some clients say number. */
    private static String phone(JsonBody identifier) {
        String number = identifier.optionalString("number");
        return number == null ? identifier.string("phone") : number;
    }
}
