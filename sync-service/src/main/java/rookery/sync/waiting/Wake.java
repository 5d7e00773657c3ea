package rookery.sync.waiting;

/** Why a waiting request goes on. */
public enum Wake {
    /** Something happened that may concern it: it looks again. */
    NEWS,
    /** It has waited as long as it asked for. */
    TIMEOUT,
    /** Its session is over: it is refused like any request with the same token. */
    SESSION_ENDED,
    /** Its account is blocked: it is refused until that is taken back. */
    SESSION_LOCKED,
    /** This node stops: it is answered with what it has, and comes back to another node. */
    SHUTDOWN;

    /** Whether nothing that comes later changes it. */
    boolean isFinal() {
        return this == SESSION_ENDED || this == SESSION_LOCKED || this == SHUTDOWN;
    }
}
