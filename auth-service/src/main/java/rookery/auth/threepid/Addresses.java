package rookery.auth.threepid;

import java.util.Locale;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Canonical forms of addresses (CONTRACT.md 7.1). */
public final class Addresses {
    private Addresses() {}

    /** M_INVALID_PARAM for what is no address. */
    public static Threepid email(String address) {
        String text = address.strip().toLowerCase(Locale.ROOT);
        if (text.indexOf('@') < 1 || text.endsWith("@")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this is no mail address");
        }
        return new Threepid(Medium.EMAIL, text);
    }

    /** M_INVALID_PARAM for what is no number of that country. */
    public static Threepid phone(String country, String number) {
        if (country.length() != 2 || !number.matches("\\+[1-9][0-9]{3,14}")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this is no number of that country");
        }
        return new Threepid(Medium.MSISDN, number.substring(1));
    }
}
