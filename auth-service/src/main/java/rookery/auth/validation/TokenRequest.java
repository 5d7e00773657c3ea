// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rookery.auth.threepid.Addresses;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;

/**
 * A request to validate an address (contract.md 7.2).
 *
 * @param attempt a message is sent only if this is greater than the last attempt
 * @param nextLink as sent, or null
 */
record TokenRequest(
        Purpose purpose,
        Threepid threepid,
        String clientSecret,
        long attempt,
        @Nullable String nextLink) {
    static TokenRequest of(Purpose purpose, Medium medium, JsonBody body) {
        String secret = Credentials.checked("client_secret", body.optionalString("client_secret"));
        var threepid = threepid(medium, body); // parsed later: missing fields are reported before an invalid address
        var attempt = body.optionalInteger("send_attempt");
        if (attempt == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field send_attempt is missing");
        }
        if (attempt < 1) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "send_attempt is at least 1");
        }
        return new TokenRequest(purpose, threepid.get(), secret, attempt, body.optionalString("next_link"));
    }

    private static Supplier<Threepid> threepid(Medium medium, JsonBody body) {
        return switch (medium) {
            case EMAIL -> {
                String email = body.string("email");
                yield () -> Addresses.email(email);
            }
            case MSISDN -> {
                String country = body.string("country");
                String number = body.string("phone_number");
                yield () -> Addresses.phone(country, number);
            }
        };
    }

    @Override
    public String toString() {
        return "TokenRequest " + purpose.text; // without the address and the secret
    }
}
