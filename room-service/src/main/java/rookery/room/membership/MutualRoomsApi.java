// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.membership.SharedRooms.MutualRoom;

/** The rooms that the caller shares with another user (contract.md 8.1). Errors: M_MISSING_PARAM, M_INVALID_PARAM. */
@RestController
class MutualRoomsApi {
    private static final char TOKEN = 'M';
    private static final int PAGE = 1_000;
    /** The length of a room id without a server name. */
    private static final int HASH_CHARS = 44;

    private final SharedRooms rooms;
    private final TokenCodec tokens;

    MutualRoomsApi(SharedRooms rooms, TokenCodec tokens) {
        this.rooms = rooms;
        this.tokens = tokens;
    }

    /** M_INVALID_PARAM for the caller's own id; an unknown user shares no room. */
    @GetMapping("/_api/client/v1/mutual_rooms")
    Mono<MutualRoomsAnswer> mutual(
            Caller caller,
            @RequestParam(name = "user_id") UserId userId,
            @RequestParam(required = false) @Nullable String from) {
        if (userId.equals(caller.user())) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "user_id is the ID of another user");
        }
        return rooms.mutual(caller.tenant(), caller.user(), userId, from == null ? "" : room(caller, from), PAGE + 1)
                .map(rooms -> answer(caller, rooms));
    }

    /** The unstable endpoint of MSC2666. */
    @GetMapping("/_api/client/unstable/uk.half-shot.msc2666/user/mutual_rooms")
    Mono<UnstableMutualRoomsAnswer> unstable(
            Caller caller,
            @RequestParam(name = "user_id") UserId userId,
            @RequestParam(name = "batch_token", required = false) @Nullable String batchToken) {
        return mutual(caller, userId, batchToken)
                .map(answer -> new UnstableMutualRoomsAnswer(answer.joined, answer.count, answer.nextBatch));
    }

    private MutualRoomsAnswer answer(Caller caller, List<MutualRoom> rooms) {
        var page = rooms.stream().limit(PAGE).map(MutualRoom::room).toList();
        return new MutualRoomsAnswer(
                page,
                rooms.isEmpty() ? 0 : rooms.getFirst().total(),
                rooms.size() > PAGE ? token(caller, page.getLast()) : null);
    }

    /** A token without the server name, which is equal for all ids with a server name and would make the token too long. */
    private String token(Caller caller, RoomId last) {
        var opaque = last.isHash()
                ? last.value()
                : last.value().substring(0, last.value().indexOf(':'));
        return tokens.write(TOKEN, opaque.getBytes(StandardCharsets.UTF_8), owner(caller));
    }

    private String room(Caller caller, String token) {
        var opaque = new String(tokens.read(TOKEN, token, owner(caller)), StandardCharsets.UTF_8);
        return opaque.length() == HASH_CHARS
                ? opaque
                : opaque + ":" + caller.server().value();
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record MutualRoomsAnswer(
            List<RoomId> joined,
            long count,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UnstableMutualRoomsAnswer(
            List<RoomId> joined,
            long count,
            @JsonProperty("next_batch_token") @Nullable String nextBatchToken) {}
}
