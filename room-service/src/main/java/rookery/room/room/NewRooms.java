// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import java.time.Clock;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.RoomVersion;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.room.draft.EventLine;
import rookery.room.draft.NewRoom;
import tools.jackson.databind.node.ObjectNode;

/** Makes unique room ids with their create events (contract.md 2.5, decision 0034). */
@Component
public class NewRooms {
    private static final String OPAQUE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int OPAQUE_CHARS = 18;
    /** A piece of the create event's content without a meaning: makes the hash of the event unique, and fit for a shard. */
    private static final String NONCE = "rookery.nonce";

    private static final int NONCE_BYTES = 16;

    private final RandomGenerator random;
    private final Clock clock;

    NewRooms(RandomGenerator random, Clock clock) {
        this.random = random;
        this.clock = clock;
    }

    /** M_UNSUPPORTED_ROOM_VERSION for a version that rooms are not made with. */
    public static RoomVersion supported(String version) {
        return RoomVersion.of(version)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.M_UNSUPPORTED_ROOM_VERSION, "rooms are made with the versions 10, 11 and 12"));
    }

    /**
     * A new room on any shard.
     *
     * @param content of the create event, without the parts that depend on the room version
     */
    public NewRoom next(Caller caller, RoomVersion version, ObjectNode content) {
        return attempts(caller, version, content).get();
    }

    /** A new room on the given shard, found by trying ids. */
    public NewRoom next(Caller caller, RoomVersion version, ObjectNode content, int shard) {
        return Stream.generate(attempts(caller, version, content))
                .filter(made -> Shards.of(made.room()) == shard)
                .findFirst()
                .orElseThrow();
    }

    private Supplier<NewRoom> attempts(Caller caller, RoomVersion version, ObjectNode content) {
        var creator = caller.user();
        var versioned = content.deepCopy().put("room_version", version.id);
        long now = clock.millis();
        if (version.namesCreator()) {
            versioned.put("creator", creator.value());
        }
        return version.hasUnboundedCreators()
                ? () -> hashed(creator, versioned, now)
                : () -> new NewRoom(named(caller.server()), EventLine.newId(random), versioned, now);
    }

    private NewRoom hashed(UserId creator, ObjectNode content, long now) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        var unique = content.deepCopy()
                .put(NONCE, Base64.getUrlEncoder().withoutPadding().encodeToString(nonce));
        String hash = CreateEventHash.of(creator, unique, now);
        return new NewRoom(new RoomId("!" + hash), new EventId("$" + hash), unique, now);
    }

    private RoomId named(ServerName server) {
        var opaque = new StringBuilder("!");
        for (int i = 0; i < OPAQUE_CHARS; i++) {
            opaque.append(OPAQUE.charAt(random.nextInt(OPAQUE.length())));
        }
        return new RoomId(opaque + ":" + server.value());
    }
}
