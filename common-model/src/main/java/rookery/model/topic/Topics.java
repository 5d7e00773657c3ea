// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

/**
 * The names of topics, and the headers by which a follower skips a record without parsing the body.
 *
 * <p>On the two logs a partition is a shard, without compaction; on {@link #EPHEMERAL} the key is the room. A follower of a log
 * must expect duplicate records, records out of order between two publishers, and missing records. Positions reveal all three,
 * and the owner's {@code /internal/log} has the missing entries.
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
