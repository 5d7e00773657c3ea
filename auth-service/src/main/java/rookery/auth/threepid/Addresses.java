// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.PhoneNumberUtil.ValidationResult;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Parses email addresses and phone numbers into their canonical forms (contract.md 7.1). */
public final class Addresses {
    private static final int EMAIL_BYTES_MAX = 254; // RFC 5321
    private static final int LOCAL_BYTES_MAX = 64;

    /** No quoted local parts, so that an address reads as a single address in every header. */
    private static final Pattern LOCAL = Pattern.compile(
            "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+" + "(\\.[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+)*");

    private static final Pattern DOMAIN = Pattern.compile(
            "([\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]{0,62}(?<!-))?\\.)+[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]{0,62}(?<!-))?");
    private static final Pattern COUNTRY = Pattern.compile("[A-Z]{2}");
    private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,14}");

    private static final int CAPITAL_I_WITH_DOT = 0x130;
    private static final int SMALL_I_WITHOUT_DOT = 0x131;

    private Addresses() {}

    /** An email address; M_INVALID_PARAM for an invalid one. */
    public static Threepid email(String text) {
        String address = folded(text.strip());
        int at = address.lastIndexOf('@');
        String local = address.substring(0, Math.max(0, at));
        String domain = address.substring(at + 1);
        boolean whole = bytes(address) <= EMAIL_BYTES_MAX && bytes(local) <= LOCAL_BYTES_MAX;
        if (!whole || !LOCAL.matcher(local).matches() || !DOMAIN.matcher(domain).matches()) {
            throw invalid("this is not an e-mail address");
        }
        return new Threepid(Medium.EMAIL, address);
    }

    /**
     * A phone number as dialled in the country, or in international form; M_INVALID_PARAM for an invalid one.
     *
     * @param country two capital letters
     */
    public static Threepid phone(String country, String number) {
        var phones = PhoneNumberUtil.getInstance();
        if (!COUNTRY.matcher(country).matches() || !phones.getSupportedRegions().contains(country)) {
            throw invalid("country is two capital letters, such as GB");
        }
        try {
            var parsed = phones.parse(number, country);
            if (phones.isPossibleNumberWithReason(parsed) != ValidationResult.IS_POSSIBLE) {
                throw invalid("there is no such phone number");
            }
            return new Threepid(
                    Medium.MSISDN, phones.format(parsed, PhoneNumberFormat.E164).substring(1));
        } catch (NumberParseException _) {
            throw invalid("this is not a phone number");
        }
    }

    /**
     * The mailbox that receives messages to the address: mail servers treat look-alike letters, such as full-width ones, as
     * equal, and know only ASCII domains. For limits and policies; accounts keep the address as entered.
     */
    public static Threepid delivered(Threepid threepid) {
        if (threepid.medium() != Medium.EMAIL) {
            return threepid;
        }
        String plain = folded(Normalizer.normalize(threepid.address(), Normalizer.Form.NFKC));
        int at = plain.lastIndexOf('@');
        try {
            String domain = IDN.toASCII(plain.substring(at + 1), IDN.ALLOW_UNASSIGNED);
            return new Threepid(Medium.EMAIL, plain.substring(0, at + 1) + domain.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            return new Threepid(
                    Medium.EMAIL, plain); // the ASCII form of a label is too long, so no mail server has the domain
        }
    }

    /** The canonical address, or null for an invalid one. */
    public static @Nullable Threepid find(String medium, String address) {
        if (medium.equals(Medium.MSISDN.text)) {
            String digits = address.startsWith("+") ? address.substring(1) : address;
            return DIGITS.matcher(digits).matches() ? new Threepid(Medium.MSISDN, digits) : null;
        }
        try {
            return medium.equals(Medium.EMAIL.text) ? email(address) : null;
        } catch (ApiException _) {
            return null;
        }
    }

    /**
     * Unicode's full case folding, which Java does not offer: via upper case, because some small letters share a capital letter.
     * The dotted and dotless i of Turkish stay distinct, as in Unicode's default folding.
     */
    private static String folded(String text) {
        var folded = new StringBuilder();
        text.codePoints().forEach(letter -> {
            switch (letter) {
                case SMALL_I_WITHOUT_DOT -> folded.appendCodePoint(letter);
                case CAPITAL_I_WITH_DOT -> folded.append("i\u0307");
                default ->
                    Character.toString(Character.toLowerCase(letter))
                            .toUpperCase(Locale.ROOT)
                            .codePoints()
                            .map(Character::toLowerCase)
                            .forEach(folded::appendCodePoint);
            }
        });
        return folded.toString();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
