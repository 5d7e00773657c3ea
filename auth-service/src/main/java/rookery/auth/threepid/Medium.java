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
}
