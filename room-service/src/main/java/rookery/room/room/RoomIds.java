package rookery.room.room;

import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.Shards;

/** Makes ids of rooms, which are never used twice (contract.md 2.5). */
@Component
public class RoomIds {
    private static final String OPAQUE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int OPAQUE_CHARS = 18;

    private final RandomGenerator random;

    RoomIds(RandomGenerator random) {
        this.random = random;
    }

    /** An id that no room has, of a room that lives on this shard: one in so many does. */
    public RoomId next(ServerName server, int shard) {
        return Stream.generate(() -> next(server))
                .filter(id -> Shards.of(id) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** An id that no room has. */
    public RoomId next(ServerName server) {
        var opaque = new StringBuilder("!");
        for (int i = 0; i < OPAQUE_CHARS; i++) {
            opaque.append(OPAQUE.charAt(random.nextInt(OPAQUE.length())));
        }
        return new RoomId(opaque + ":" + server.value());
    }
}
