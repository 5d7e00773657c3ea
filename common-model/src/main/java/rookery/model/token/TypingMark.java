package rookery.model.token;

/**
 * Which typing a client was told last. It means something to the node that told it only: another one tells its own anew.
 *
 * @param node the run of a sync node
 * @param serial how many changes of typing that node had counted
 */
public record TypingMark(long node, long serial) {}
