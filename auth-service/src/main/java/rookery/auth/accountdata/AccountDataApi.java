// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.PathUser;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;

/**
 * Account data, global and of a room (contract.md 13.2). Errors: M_FORBIDDEN for other users, M_NOT_FOUND for an unset key,
 * M_BAD_JSON, M_TOO_LARGE, and 405 for types that only the server writes.
 */
@RestController
class AccountDataApi {
    private static final String GLOBAL = "/_api/client/v3/user/{userId}/account_data/{type}";
    private static final String OF_ROOM = "/_api/client/v3/user/{userId}/rooms/{roomId}/account_data/{type}";

    private final AccountData data;
    private final AccountDataWriter writer;
    private final PushRulesClient pushRules;

    AccountDataApi(AccountData data, AccountDataWriter writer, PushRulesClient pushRules) {
        this.data = data;
        this.writer = writer;
        this.pushRules = pushRules;
    }

    @GetMapping(GLOBAL)
    Mono<JsonText> get(Caller caller, @PathVariable PathUser userId, @PathVariable String type) {
        var user = userId.own(caller);
        // the stored rules are only the user's changes; push-service merges the default rules
        return type.equals(AccountDataTypes.PUSH_RULES)
                ? pushRules.of(caller.tenant(), user)
                : content(new DataKey(caller.tenant(), user, type, null));
    }

    @GetMapping(OF_ROOM)
    Mono<JsonText> get(
            Caller caller, @PathVariable PathUser userId, @PathVariable RoomId roomId, @PathVariable String type) {
        return content(new DataKey(caller.tenant(), userId.own(caller), type, roomId));
    }

    @PutMapping(GLOBAL)
    Mono<Map<String, Object>> put(
            Caller caller, @PathVariable PathUser userId, @PathVariable String type, JsonBody content) {
        return set(new DataKey(caller.tenant(), userId.own(caller), type, null), content);
    }

    @PutMapping(OF_ROOM)
    Mono<Map<String, Object>> put(
            Caller caller,
            @PathVariable PathUser userId,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            JsonBody content) {
        return set(new DataKey(caller.tenant(), userId.own(caller), type, roomId), content);
    }

    /** An unset key is no error: a client may retry. */
    @DeleteMapping(GLOBAL)
    Mono<Map<String, Object>> delete(Caller caller, @PathVariable PathUser userId, @PathVariable String type) {
        return deleted(new DataKey(caller.tenant(), userId.own(caller), type, null));
    }

    @DeleteMapping(OF_ROOM)
    Mono<Map<String, Object>> delete(
            Caller caller, @PathVariable PathUser userId, @PathVariable RoomId roomId, @PathVariable String type) {
        return deleted(new DataKey(caller.tenant(), userId.own(caller), type, roomId));
    }

    private Mono<JsonText> content(DataKey key) {
        return data.find(key)
                .filter(stored -> !stored.content().equals(AccountDataTypes.DELETED))
                .map(stored -> new JsonText(stored.content()))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "this is not set")));
    }

    private Mono<Map<String, Object>> deleted(DataKey key) {
        DataRules.requireClients(key);
        return writer.delete(key).thenReturn(Map.of());
    }

    private Mono<Map<String, Object>> set(DataKey key, JsonBody content) {
        DataRules.requireClients(key);
        return writer.set(key, DataRules.checked(key, content.json())).thenReturn(Map.of());
    }
}
