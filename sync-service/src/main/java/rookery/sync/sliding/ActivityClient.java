// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceClient;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.ring.RoomActivity.LastActivity;

/** Reads the activity of rooms from room-service that this node does not know: once for each room, then the log keeps them current. */
@Component
class ActivityClient {
    /** A purged room, whose end comes with the log. */
    private static final LastActivity NONE = new LastActivity(0, 0, null, false, null);

    private final ServiceClient services;

    ActivityClient(ServiceClient services) {
        this.services = services;
    }

    record ActivityQuery(TenantId tenant, UserId user, List<RoomId> rooms) {}

    record ChildrenAnswer(List<ChildrenOfSpace> spaces) {}

    record ChildrenOfSpace(@JsonProperty("room_id") RoomId roomId, Set<String> children) {}

    /** The rooms of each space that the user is joined to. */
    Mono<Map<String, Set<String>>> children(TenantUser user, Set<String> spaces) {
        var ids = spaces.stream().flatMap(ActivityClient::id).toList();
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        return services.post(
                        "room-service",
                        user.user().value(),
                        "/internal/rooms/children",
                        new ActivityQuery(user.tenant(), user.user(), ids),
                        ChildrenAnswer.class)
                .map(answer -> answer.spaces.stream()
                        .collect(Collectors.toMap(space -> space.roomId.value(), ChildrenOfSpace::children)));
    }

    private static Stream<RoomId> id(String text) {
        try {
            return Stream.of(new RoomId(text));
        } catch (ApiException _) {
            return Stream.empty(); // unknown spaces are ignored
        }
    }

    record ActivityAnswer(List<RoomActivity> rooms) {}

    record RoomActivity(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("last_ms") long lastMs,
            @JsonProperty("bump_ms") long bumpMs,
            @Nullable String type,
            boolean encrypted,
            @Nullable String inviter) {}

    /** The user's rooms at the positions, with their activity. Empty if the caller must look again. */
    Mono<List<ListedRoom>> listed(Inbox inbox, Positions upto) {
        var listed = inbox.memberships().listed(upto);
        if (listed == null) {
            return Mono.empty();
        }
        var unknown = listed.stream().filter(room -> room.activity() == null).toList();
        return unknown.isEmpty()
                ? Mono.just(listed)
                : learn(inbox, unknown)
                        .then(Mono.fromSupplier(() -> inbox.memberships().listed(upto)));
    }

    private Mono<Void> learn(Inbox inbox, List<ListedRoom> unknown) {
        var user = inbox.key();
        var query = new ActivityQuery(
                user.tenant(),
                user.user(),
                unknown.stream().map(ListedRoom::room).toList());
        return services.post(
                        "room-service", user.user().value(), "/internal/rooms/activity", query, ActivityAnswer.class)
                .doOnNext(answer -> {
                    var read = new HashMap<RoomId, LastActivity>();
                    answer.rooms.forEach(room -> read.put(
                            room.roomId,
                            new LastActivity(room.lastMs, room.bumpMs, room.type, room.encrypted, room.inviter)));
                    unknown.forEach(
                            room -> inbox.memberships().learnActivity(room, read.getOrDefault(room.room(), NONE)));
                })
                .then();
    }
}
