// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.PathUser;
import rookery.model.caller.Caller;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tags of a user's rooms (contract.md 13.2). Errors: M_FORBIDDEN for other users, M_INVALID_PARAM, M_BAD_JSON, M_TOO_LARGE.
 */
@RestController
class TagsApi {
    private static final String TAGS = "/_api/client/v3/user/{userId}/rooms/{roomId}/tags";
    private static final String TAG = TAGS + "/{tag}";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AccountData data;
    private final AccountDataWriter writer;

    TagsApi(AccountData data, AccountDataWriter writer) {
        this.data = data;
        this.writer = writer;
    }

    @GetMapping(TAGS)
    Mono<Map<String, ObjectNode>> tags(Caller caller, @PathVariable PathUser userId, @PathVariable RoomId roomId) {
        return data.find(key(caller, userId.own(caller), roomId))
                .map(stored -> RoomTags.of((ObjectNode) JSON.readTree(stored.content())))
                .defaultIfEmpty(JSON.createObjectNode())
                .map(tags -> Map.of("tags", tags));
    }

    @PutMapping(TAG)
    Mono<Map<String, Object>> set(
            Caller caller,
            @PathVariable PathUser userId,
            @PathVariable RoomId roomId,
            @PathVariable String tag,
            JsonBody body) {
        var key = key(caller, userId.own(caller), roomId);
        return change(key, RoomTags.requireTag(tag), RoomTags.requireContent(body));
    }

    @DeleteMapping(TAG)
    Mono<Map<String, Object>> remove(
            Caller caller, @PathVariable PathUser userId, @PathVariable RoomId roomId, @PathVariable String tag) {
        return change(key(caller, userId.own(caller), roomId), RoomTags.requireTag(tag), null);
    }

    /** Two devices may set tags at the same time: each change applies to the content stored at that moment. */
    private Mono<Map<String, Object>> change(DataKey key, String tag, @Nullable ObjectNode value) {
        return writer.change(key, content -> RoomTags.with(content, tag, value)).thenReturn(Map.of());
    }

    private static DataKey key(Caller caller, UserId user, RoomId room) {
        return new DataKey(caller.tenant(), user, AccountDataTypes.TAG, room);
    }
}
