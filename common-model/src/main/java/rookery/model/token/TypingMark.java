package rookery.model.token;

/**
 * Which typing and which presence a client was told last. It means something to the node that told it only: another one tells its
 * own anew.
 *
 * @param node the run of a sync node
 * @param serial how many changes of typing that node had counted
 * @param presence how many changes of presence it had counted
 */
public record TypingMark(long node, long serial, long presence) {
    /** One that was told of no presence. */
    public TypingMark(long node, long serial) {
        this(node, serial, 0);
    }
}
