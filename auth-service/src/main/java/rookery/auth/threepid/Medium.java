package rookery.auth.threepid;

/** What kind of address a third-party identifier is. */
public enum Medium {
    EMAIL("email"),
    /** a phone number: E.164 digits without the plus */
    MSISDN("msisdn");

    /** The name that clients use, and the table. */
    public final String text;

    Medium(String text) {
        this.text = text;
    }

    /** The medium of a name that clients use or the table holds. */
    public static Medium of(String text) {
        for (var medium : values()) {
            if (medium.text.equals(text)) {
                return medium;
            }
        }
        throw new IllegalArgumentException("no such medium");
    }
}
