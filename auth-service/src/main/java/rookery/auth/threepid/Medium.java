// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

/** The medium of a third-party identifier. */
public enum Medium {
    EMAIL("email"),
    /** A phone number: E.164 digits without the plus. */
    MSISDN("msisdn");

    /** The name in requests and in the table. */
    public final String text;

    Medium(String text) {
        this.text = text;
    }

    /** The medium with the name in requests or in the table. */
    public static Medium of(String text) {
        for (var medium : values()) {
            if (medium.text.equals(text)) {
                return medium;
            }
        }
        throw new IllegalArgumentException("no such medium");
    }
}
