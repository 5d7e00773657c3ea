// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.http.AnswerBudget;
import rookery.platform.json.JsonText;
import rookery.room.space.SpaceRoom.Child;
import rookery.room.space.SpaceRows.FoundRooms;
import rookery.room.space.SpaceWalk.WalkQuery;
import rookery.room.timeline.PageLimit;

/**
 * The rooms of a space and of its subspaces (contract.md 13.8). Errors: M_FORBIDDEN for a space that is not accessible to
 * the caller, M_INVALID_PARAM.
 */
@RestController
class HierarchyApi {
    private static final int LIMIT = 50;
    private static final int DEPTH_MAX = 1_000;

    private final SpaceRows rows;
    private final TokenCodec tokens;
    private final Clock clock;

    HierarchyApi(SpaceRows rows, TokenCodec tokens, Clock clock) {
        this.rows = rows;
        this.tokens = tokens;
        this.clock = clock;
    }

    @GetMapping("/_api/client/v1/rooms/{roomId}/hierarchy")
    Mono<Hierarchy> hierarchy(
            Caller caller,
            @PathVariable RoomId roomId,
            @RequestParam(name = "suggested_only", defaultValue = "false") String suggestedOnly,
            @RequestParam(name = "max_depth", required = false) @Nullable String maxDepth,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String from) {
        boolean suggested = bool(suggestedOnly);
        int depth = PageLimit.of(maxDepth, DEPTH_MAX, 0, DEPTH_MAX);
        int most = PageLimit.of(limit, LIMIT, 1, LIMIT);
        long question = HierarchyPlace.question(roomId, suggested, depth);
        var owner = new TokenOwner(caller.tenant(), caller.user());
        var place = from == null
                ? new HierarchyPlace(clock.millis(), question, 0, 0)
                : HierarchyPlace.of(tokens.read(HierarchyPlace.KIND, from, owner), question, clock.millis());
        return walked(caller, SpaceWalk.behind(new WalkQuery(roomId, suggested, depth), place, most))
                .flatMap(walk -> again(caller, walk, place, most))
                .map(done -> answer(owner, done, place, most));
    }

    /** If the last room of the page before is gone, this page begins after the same number of rooms. */
    private Mono<SpaceWalk> again(Caller caller, SpaceWalk walk, HierarchyPlace place, int most) {
        int start = Math.min(place.rooms(), walk.rooms().size());
        return walk.hasStart() ? Mono.just(walk) : walked(caller, new SpaceWalk(walk.query(), start, most));
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "suggested_only is true or false");
        };
    }

    private Mono<SpaceWalk> walked(Caller caller, SpaceWalk walk) {
        Collection<RoomId> unknown = walk.advance();
        if (unknown.isEmpty()) {
            return Mono.just(walk);
        }
        return rows.accessible(caller, unknown)
                .delayUntil(HierarchyApi::reserved)
                .flatMap(rooms -> {
                    walk.learn(unknown, rooms);
                    return walked(caller, walk);
                });
    }

    private static Mono<Void> reserved(FoundRooms rooms) {
        return AnswerBudget.reserve(
                2 * rooms.rooms().stream().mapToLong(SpaceRoom::bytes).sum());
    }

    private Hierarchy answer(TokenOwner owner, SpaceWalk walk, HierarchyPlace place, int most) {
        var all = walk.rooms();
        if (all.isEmpty()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this space does not exist, or you have no access to it");
        }
        int start = Math.min(walk.start(), all.size());
        int end = Math.min(start + most, all.size());
        @Nullable String next = null;
        if (end < all.size() || (!walk.isDone() && all.size() < SpaceWalk.ROOMS_MAX)) {
            long last = HierarchyPlace.hash(all.get(end - 1).room());
            var nextPlace = new HierarchyPlace(clock.millis(), place.question(), end, last);
            next = tokens.write(HierarchyPlace.KIND, nextPlace.bytes(), owner);
        }
        return new Hierarchy(
                all.subList(start, end).stream()
                        .map(room -> entry(room, texts(walk.children(room))))
                        .toList(),
                next);
    }

    private static List<JsonText> texts(List<Child> children) {
        return children.stream().map(child -> new JsonText(child.text())).toList();
    }

    /** @param children null to leave {@code children_state} out */
    static HierarchyRoom entry(SpaceRoom room, @Nullable List<JsonText> children) {
        var allowed = room.allowed();
        return new HierarchyRoom(
                room.room(),
                room.joined(),
                room.isWorldReadable(),
                room.canGuestsJoin(),
                room.text(EventTypes.NAME, "name"),
                room.text(EventTypes.TOPIC, "topic"),
                room.text(EventTypes.AVATAR, "url"),
                room.text(EventTypes.CANONICAL_ALIAS, "alias"),
                room.joinRuleText(),
                room.text(EventTypes.CREATE, "type"),
                allowed.isEmpty() ? null : allowed,
                room.text(EventTypes.ENCRYPTION, "algorithm"),
                room.text(EventTypes.CREATE, "room_version"),
                children);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hierarchy(
            List<HierarchyRoom> rooms,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record HierarchyRoom(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("num_joined_members") int joinedMembers,
            @JsonProperty("world_readable") boolean worldReadable,
            @JsonProperty("guest_can_join") boolean guestCanJoin,
            @Nullable String name,
            @Nullable String topic,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            @JsonProperty("canonical_alias") @Nullable String canonicalAlias,
            @JsonProperty("join_rule") String joinRule,
            @JsonProperty("room_type") @Nullable String roomType,
            @JsonProperty("allowed_room_ids") @Nullable List<String> allowedRoomIds,
            @Nullable String encryption,
            @JsonProperty("room_version") @Nullable String roomVersion,
            @JsonProperty("children_state") @Nullable List<JsonText> childrenState) {}
}
