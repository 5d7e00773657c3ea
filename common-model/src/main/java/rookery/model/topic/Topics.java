package rookery.model.topic;

/**
 * The topics' names and the headers that let a follower skip a record without reading it.
 *
 * <p>On the two logs a partition is a shard and nothing is compacted; on {@link #EPHEMERAL} the key is the room. A follower of
 * a log must expect records twice, out of order between two publishers, and not at all: positions tell, and the owner's
 * {@code /internal/log} answers for what is missing.
 */
public final class Topics {
    public static final String ROOM_LOG = "room-log";
    public static final String USER_LOG = "user-log";
    public static final String EPHEMERAL = "ephemeral";

    public static final String HEADER_KIND = "kind";
    public static final String HEADER_EPOCH = "epoch";
    public static final String HEADER_POS = "pos";
    public static final String HEADER_BATCH = "batch";
    public static final String HEADER_PREVIOUS = "previous";
    public static final String HEADER_UNIT_END = "unit-end";
    public static final String HEADER_TENANT = "tenant";
    public static final String HEADER_ROOM = "room";
    public static final String HEADER_SUBJECT = "subject";

    private Topics() {}
}
