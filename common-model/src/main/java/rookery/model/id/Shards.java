package rookery.model.id;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * How many shards a log has, and where a user or a room lives for ever: at CRC-32C of its id modulo the number of shards
 * (design.md 12, Shards). The migrations make the same number of rows, the topics of partitions.
 */
public final class Shards {
    public static final int COUNT = 64;
    /** The number of each. */
    public static final Set<Integer> ALL = IntStream.range(0, COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private Shards() {}

    /** The shard of the user log that holds this user. */
    public static int of(UserId user) {
        return of(user.value());
    }

    /** The shard of the room log that holds this room. */
    public static int of(RoomId room) {
        return of(room.value());
    }

    /** The same for an id as it came, be it one or not. */
    public static int of(String id) {
        var crc = new CRC32C();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % COUNT);
    }
}
