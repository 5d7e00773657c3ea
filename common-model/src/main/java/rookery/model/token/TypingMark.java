package rookery.model.token;

/**
 * Which typing, which presence and which corrections of unread counts a client was told last. It means something to the node that
 * told it only: another one tells its own anew.
 *
 * @param node the run of a sync node
 * @param serial how many changes of typing that node had counted
 * @param presence how many changes of presence it had counted
 * @param corrections the number of its last correction of the user's counts
 * @param doubt what any node must know of the counts that were told
 */
public record TypingMark(long node, long serial, long presence, long corrections, CountsDoubt doubt) {
    /** One that was told of no presence, and no counts. */
    public TypingMark(long node, long serial) {
        this(node, serial, 0, 0, CountsDoubt.NONE);
    }

    /** The same with what was told of presence. */
    public TypingMark withPresence(long number) {
        return new TypingMark(node, serial, number, corrections, doubt);
    }

    /** The same with what was told of counts. */
    public TypingMark withCounts(long number, CountsDoubt about) {
        return new TypingMark(node, serial, presence, number, about);
    }
}
