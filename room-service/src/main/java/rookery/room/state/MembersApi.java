// SPDX-License-Identifier: Apache-2.0
package rookery.room.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.http.JsonStream;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.LargeStates;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;
import tools.jackson.databind.json.JsonMapper;

/** Members of a room, and rooms of a user (contract.md 8.1). Errors: M_FORBIDDEN, M_INVALID_PARAM. */
@RestController
class MembersApi {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RoomReader reader;
    private final StateRows states;
    private final LargeStates largeStates;
    private final ShownEvents shown;
    private final TokenCodec tokens;

    MembersApi(RoomReader reader, StateRows states, LargeStates largeStates, ShownEvents shown, TokenCodec tokens) {
        this.reader = reader;
        this.states = states;
        this.largeStates = largeStates;
        this.shown = shown;
        this.tokens = tokens;
    }

    @GetMapping(path = "/_api/client/v3/rooms/{roomId}/members", produces = MediaType.APPLICATION_JSON_VALUE)
    Flux<byte[]> members(
            Caller caller,
            @PathVariable RoomId roomId,
            @RequestParam(required = false) @Nullable String at,
            @RequestParam(required = false) @Nullable String membership,
            @RequestParam(name = "not_membership", required = false) @Nullable String notMembership) {
        var memberships = memberships(membership, notMembership);
        return reader.reading(caller, roomId)
                .zipWhen(reading -> pos(at, reading, caller))
                .flatMapMany(both -> {
                    var reading = both.getT1();
                    var portions = largeStates
                            .membersAt(reading.room(), reading.shard(), both.getT2(), memberships)
                            .map(events -> shown.texts(events, reading, caller));
                    return JsonStream.of("{\"chunk\":[", portions, "]}");
                });
    }

    private static List<String> memberships(@Nullable String membership, @Nullable String notMembership) {
        requireWord(membership);
        requireWord(notMembership);
        return Arrays.stream(Membership.values())
                .map(value -> value.word)
                .filter(word -> membership == null || word.equals(membership))
                .filter(word -> !word.equals(notMembership))
                .toList();
    }

    private static void requireWord(@Nullable String word) {
        if (word != null && Membership.of(word).isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "there is no such membership");
        }
    }

    /**
     * A position before the first member, such as {@code prev_batch} of a timeline that begins with the room's first
     * event, means now.
     */
    private Mono<Long> pos(@Nullable String at, ReaderInRoom reading, Caller caller) {
        if (at == null) {
            return Mono.just(reading.statePos());
        }
        var token = tokens.readPage(at, new TokenOwner(caller.tenant(), caller.user()), reading.shard());
        return token.epoch() == reading.epoch()
                ? states.firstMember(reading.room())
                        .filter(first -> first <= token.pos())
                        .map(_ -> Math.min(token.pos(), reading.statePos()))
                        .defaultIfEmpty(reading.statePos())
                : Mono.just(reading.statePos()); // the position is from before a restore of the log
    }

    @GetMapping(path = "/_api/client/v3/rooms/{roomId}/joined_members", produces = MediaType.APPLICATION_JSON_VALUE)
    Flux<byte[]> joined(Caller caller, @PathVariable RoomId roomId) {
        return reader.member(caller, roomId).flatMapMany(reading -> {
            var portions = largeStates
                    .membersAt(reading.room(), reading.shard(), reading.head(), List.of(Membership.JOIN.word))
                    .map(events -> events.stream().map(MembersApi::joined).toList());
            return JsonStream.of("{\"joined\":{", portions, "}}");
        });
    }

    /** A member of a JSON object: the user id with the profile in the room. */
    private static String joined(StoredEvent member) {
        var content = member.content();
        var profile = new Profile(
                content.path("displayname").stringValue(null),
                content.path("avatar_url").stringValue(null));
        var user = String.valueOf(member.event().meta().stateKey());
        return JSON.writeValueAsString(user) + ":" + JSON.writeValueAsString(profile);
    }

    @GetMapping("/_api/client/v3/joined_rooms")
    Mono<JoinedRooms> joinedRooms(Caller caller) {
        return states.joinedRooms(caller.tenant(), caller.user()).collectList().map(JoinedRooms::new);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Profile(
            @JsonProperty("display_name") @Nullable String displayName,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) {}

    record JoinedRooms(@JsonProperty("joined_rooms") List<String> joinedRooms) {}
}
