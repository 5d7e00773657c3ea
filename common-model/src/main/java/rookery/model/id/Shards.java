// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The number of shards of a log, and the fixed shard of a user or room: CRC-32C of the id modulo the number of shards (design.md
 * 12, Shards). The migrations create as many rows, and the topics have as many partitions.
 */
public final class Shards {
    public static final int COUNT = 64;
    /** The numbers of all shards. */
    public static final Set<Integer> ALL = IntStream.range(0, COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private Shards() {}

    /** The user's shard of the user log. */
    public static int of(UserId user) {
        return of(user.value());
    }

    /** The room's shard of the room log. */
    public static int of(RoomId room) {
        return of(room.value());
    }

    /** The shard of an id that may be invalid. */
    public static int of(String id) {
        var crc = new CRC32C();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % COUNT);
    }
}
