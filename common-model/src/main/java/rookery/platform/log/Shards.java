package rookery.platform.log;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import rookery.model.id.UserId;

/** How many shards a log has, and where a user lives; the migrations make the same number of rows, the topics of partitions. */
public final class Shards {
    public static final int COUNT = 16;

    private Shards() {}

    /** The shard of the user log that holds this user: CRC-32C of the id modulo the number of shards (DESIGN.md 11). */
    public static int of(UserId user) {
        var crc = new CRC32C();
        crc.update(user.value().getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % COUNT);
    }
}
