// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.Shards;

/** Makes unique room ids (contract.md 2.5). */
@Component
public class RoomIds {
    private static final String OPAQUE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int OPAQUE_CHARS = 18;

    private final RandomGenerator random;

    RoomIds(RandomGenerator random) {
        this.random = random;
    }

    /** A new id on the given shard, found by trying ids. */
    public RoomId next(ServerName server, int shard) {
        return Stream.generate(() -> next(server))
                .filter(id -> Shards.of(id) == shard)
                .findFirst()
                .orElseThrow();
    }

    public RoomId next(ServerName server) {
        var opaque = new StringBuilder("!");
        for (int i = 0; i < OPAQUE_CHARS; i++) {
            opaque.append(OPAQUE.charAt(random.nextInt(OPAQUE.length())));
        }
        return new RoomId(opaque + ":" + server.value());
    }
}
