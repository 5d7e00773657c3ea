// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.accountdata.AccountData.AccountDataRow;
import rookery.auth.accountdata.AccountData.Snapshot;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/**
 * Account data for the other services: read by sync and push, written by room ({@code m.fully_read}) and push
 * ({@code m.push_rules}).
 */
@RestController
class InternalAccountDataApi {
    private static final int TEXT_AND_BYTES = 2;

    private final AccountData data;
    private final AccountDataWriter writer;

    InternalAccountDataApi(AccountData data, AccountDataWriter writer) {
        this.data = data;
        this.writer = writer;
    }

    /**
     * The rows set after the position (0 for all) and the end of the user's shard, in one snapshot; no rows for unknown users.
     */
    @Callers({ServiceName.ROOM, ServiceName.SYNC, ServiceName.PUSH})
    @GetMapping("/internal/users/{userId}/account-data")
    Mono<AccountDataAnswer> changed(
            @PathVariable UserId userId, @RequestParam int tenant, @RequestParam(defaultValue = "0") long after) {
        return data.changedAfter(new TenantId(tenant), userId, after)
                .delayUntil(InternalAccountDataApi::reserved)
                .map(AccountDataAnswer::of);
    }

    private static Mono<Void> reserved(Snapshot snapshot) {
        long chars = snapshot.changed().stream()
                .mapToLong(stored -> stored.content().length())
                .sum();
        return AnswerBudget.reserve(TEXT_AND_BYTES * chars);
    }

    /** The content of one type, of a room or global; without content and at position 0 if the type was never set. */
    @Callers({ServiceName.ROOM, ServiceName.PUSH})
    @GetMapping("/internal/users/{userId}/account-data/{type}")
    Mono<CurrentContent> one(
            @PathVariable UserId userId,
            @PathVariable String type,
            @RequestParam int tenant,
            @RequestParam(required = false) @Nullable RoomId room) {
        return data.find(new DataKey(new TenantId(tenant), userId, type, room))
                .map(stored -> new CurrentContent(new JsonText(stored.content()), stored.pos()))
                .defaultIfEmpty(new CurrentContent(null, 0));
    }

    /** Sets any type of account data; answers the position. 409 if {@code read_at} is given and the row was set again since. */
    @Callers({ServiceName.ROOM, ServiceName.PUSH})
    @PostMapping("/internal/users/{userId}/account-data")
    Mono<WriteAnswer> set(@PathVariable UserId userId, @RequestBody WriteRequest request) {
        var key = new DataKey(request.tenant, userId, request.type, request.room);
        return writer.setIf(key, DataRules.checked(key, request.content), request.readAt)
                .map(WriteAnswer::new);
    }

    record WriteRequest(
            TenantId tenant,
            String type,
            @Nullable RoomId room,
            ObjectNode content,
            @JsonProperty("read_at") @Nullable Long readAt) {}

    record WriteAnswer(long pos) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CurrentContent(@Nullable JsonText content, long pos) {}

    record AccountDataAnswer(long epoch, long pos, int shard, List<Event> events) {
        static AccountDataAnswer of(Snapshot snapshot) {
            var head = snapshot.head();
            return new AccountDataAnswer(
                    head.epoch(),
                    head.pos(),
                    head.shard(),
                    snapshot.changed().stream().map(Event::of).toList());
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Event(String type, @Nullable RoomId room, JsonText content, long pos) {
        static Event of(AccountDataRow stored) {
            return new Event(stored.type(), stored.room(), new JsonText(stored.content()), stored.pos());
        }
    }
}
