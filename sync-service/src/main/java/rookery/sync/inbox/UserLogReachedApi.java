// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.log.append.Heads;

/**
 * Waits until this node has followed the user log up to a position, so that later looks use the entry. Auth-service calls the
 * user's node before it answers a change of push rules or ignore list. 503 after a few seconds.
 */
@RestController
class UserLogReachedApi {
    private final FollowedLogs logs;

    UserLogReachedApi(FollowedLogs logs) {
        this.logs = logs;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/user-log/reached")
    Mono<Map<String, Object>> reached(@RequestBody ReachedRequest request) {
        return Mono.fromSupplier(() -> logs.users().now())
                .map(now -> new Heads(
                        now.epoch(),
                        Positions.zero(now.positions().shards()).with(Shards.of(request.user), request.pos)))
                .flatMap(logs.users()::reaches)
                .thenReturn(Map.of());
    }

    /** A position in the user's shard of the user log. */
    record ReachedRequest(UserId user, long pos) {}
}
