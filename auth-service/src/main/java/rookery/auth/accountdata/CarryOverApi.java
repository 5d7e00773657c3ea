// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * After a user joins the successor of a room: copies the tags, the push rule and the entry of direct chats (contract.md 8.4).
 * Internal: room-service repeats the request until the answer is 200; a repetition changes nothing.
 */
@RestController
class CarryOverApi {
    private static final String DIRECT = "m.direct";

    private final Accounts accounts;
    private final AccountData data;
    private final AccountDataWriter writer;

    CarryOverApi(Accounts accounts, AccountData data, AccountDataWriter writer) {
        this.accounts = accounts;
        this.data = data;
        this.writer = writer;
    }

    /** M_NOT_FOUND for an unknown or deactivated user. */
    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/users/{userId}/carry-over")
    Mono<Map<String, Object>> carryOver(@PathVariable UserId userId, @RequestBody MoveRequest request) {
        var move = new RoomMove(request.fromRoom, request.toRoom);
        return accounts.find(request.tenant, userId)
                .as(Account::existing)
                .then(tags(request.tenant, userId, move))
                .then(changed(new DataKey(request.tenant, userId, DIRECT, null), move::direct))
                .then(changed(new DataKey(request.tenant, userId, AccountDataTypes.PUSH_RULES, null), move::pushRules))
                .thenReturn(Map.of());
    }

    private Mono<Void> tags(TenantId tenant, UserId user, RoomMove move) {
        return data.find(tags(tenant, user, move.from()))
                .map(stored -> (ObjectNode) JsonMapper.shared().readTree(stored.content()))
                .flatMap(old -> changed(tags(tenant, user, move.to()), now -> RoomMove.tags(old, now)));
    }

    private static DataKey tags(TenantId tenant, UserId user, @Nullable RoomId room) {
        return new DataKey(tenant, user, AccountDataTypes.TAG, room);
    }

    /** A copy above the size limit is skipped: every retry would fail in the same way. */
    private Mono<Void> changed(DataKey key, UnaryOperator<ObjectNode> change) {
        return Mono.defer(() -> writer.change(key, change)).onErrorResume(CarryOverApi::isTooLarge, _ -> Mono.empty());
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_TOO_LARGE;
    }

    record MoveRequest(
            TenantId tenant,
            @JsonProperty("from_room") RoomId fromRoom,
            @JsonProperty("to_room") RoomId toRoom) {}
}
