// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import java.time.Duration;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.directory.alias.RoomClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/** The visibility of a room in the room directory (contract.md 6). */
@RestController
class ListingApi {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    /** Usually the room log is milliseconds behind. After this time the request is answered without the log's confirmation. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ListedRooms rooms;
    private final RoomClient owner;

    ListingApi(ListedRooms rooms, RoomClient owner) {
        this.rooms = rooms;
        this.owner = owner;
    }

    /** 404 for an unknown room. An unpublished room counts as unknown, except for its members and for administrators. */
    @GetMapping("/_api/client/v3/directory/list/room/{roomId}")
    @Access(Level.OPTIONAL)
    Mono<Visibility> find(@PathVariable RoomId roomId, Caller caller) {
        var room = new TenantRoom(caller.tenant(), roomId);
        return rooms.find(room)
                .switchIfEmpty(Mono.defer(() -> newRoom(room)))
                .filter(ListedRoom::isPublished)
                .map(_ -> new Visibility("public"))
                .switchIfEmpty(Mono.defer(() -> unlisted(caller, roomId)));
    }

    private Mono<Visibility> unlisted(Caller caller, RoomId room) {
        var known = caller.known();
        var mayKnow = known == null
                ? Mono.just(false)
                : known.admin() ? owner.exists(caller.tenant(), room) : owner.isMember(caller, room);
        return mayKnow.filter(allowed -> allowed)
                .map(_ -> new Visibility("private"))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")));
    }

    /**
     * Body {@code {"visibility"}}: {@code public}, the default, or {@code private}. 404 for an unknown room; 403 without the
     * power to change the canonical alias, except for administrators. Answers once the directory shows the change.
     */
    @PutMapping("/_api/client/v3/directory/list/room/{roomId}")
    Mono<Map<String, String>> set(@PathVariable RoomId roomId, Caller caller, JsonBody body) {
        var visibility = body.optionalString("visibility");
        if (visibility != null && !visibility.equals("public") && !visibility.equals("private")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "visibility is public or private");
        }
        boolean published = !"private".equals(visibility);
        var room = new TenantRoom(caller.tenant(), roomId);
        return owner.list(caller, roomId, published)
                .then(awaited(rooms.find(room).filter(listed -> listed.isPublished() == published)))
                .thenReturn(Map.of());
    }

    private Mono<ListedRoom> newRoom(TenantRoom room) {
        return owner.exists(room.tenant(), room.room())
                .filter(exists -> exists)
                .flatMap(_ -> awaited(rooms.find(room)));
    }

    /** Reads the room until the room log has brought the expected row. */
    private static Mono<ListedRoom> awaited(Mono<ListedRoom> room) {
        return room.repeatWhenEmpty(tries -> tries.delayElements(LOOK_AGAIN)).timeout(PATIENCE, Mono.empty());
    }

    record Visibility(String visibility) {}
}
