package rookery.model.token;

/** Whether a client may have been told unread counts that are not the final ones. */
public enum CountsDoubt {
    /** It was not. */
    NONE(0),
    /** The node that told it could only guess some, and corrects them once it knows. */
    GUESSED(1),
    /** Nobody knows which: the counts of all rooms are told once they are final. */
    ALL(2);

    /** In tokens, which outlive a release: the value of {@link Mark#COUNTS_DOUBT}. */
    public final long code;

    CountsDoubt(long code) {
        this.code = code;
    }

    static CountsDoubt of(long code) {
        for (var each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return ALL;
    }
}
