package rookery.model.token;

/**
 * What a sync token says beside positions. Each has its place among the marks in tokens, which outlive a release: a new one goes to the
 * end, where an older release does not look, and no place is ever given again.
 */
public enum Mark {
    /** The run of the sync node that wrote the token; what it says of a node means something to that run only. */
    NODE(0, true),
    /** How many changes of typing the node had counted. */
    TYPING(1, true),
    /** How many changes of presence the node had counted. */
    PRESENCE(2, true),
    /** The number of the node's last correction of the user's unread counts. */
    CORRECTIONS(3, true),
    /** What any node must know of the counts that were told: a {@link CountsDoubt}. */
    COUNTS_DOUBT(4, false),
    /** Up to where the device was told messages to it, if more wait before the token's position in the user log; else 0. */
    TO_DEVICE(5, false),
    /** 1 if the client has been sent provisional push rules or none, and is to be sent the real ones; else 0. */
    RULES_DOUBT(6, false);

    /** Where it stands among the marks of a token, from 0. */
    final int place;

    /** Whether it means nothing to another run or another node. */
    final boolean isOfNode;

    Mark(int place, boolean isOfNode) {
        this.place = place;
        this.isOfNode = isOfNode;
    }
}
