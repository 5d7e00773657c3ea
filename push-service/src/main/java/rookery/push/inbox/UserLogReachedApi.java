// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.time.Duration;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.log.follow.FollowedShards;

/**
 * Answers once the tables include the user log up to a position, so events that are counted later are judged accordingly.
 * Auth-service calls this before answering a client that has set push rules or ignored users. 503 after a few seconds.
 */
@RestController
class UserLogReachedApi {
    private static final int LOOKS_MAX = 60;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration PAUSE_MAX = Duration.ofMillis(100);

    private final FollowedShards userLog;

    UserLogReachedApi(FollowedShards userLog) {
        this.userLog = userLog;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/user-log/reached")
    Mono<Map<String, Object>> reached(@RequestBody UserLogPosition position) {
        return userLog.find(Shards.of(position.user))
                .filter(head -> head.pos() >= position.pos)
                .repeatWhenEmpty(UserLogReachedApi::pauses)
                .switchIfEmpty(Mono.error(
                        () -> ApiException.unavailable("push-service is behind the user log, try again in a moment")))
                .map(_ -> Map.of());
    }

    /** Polls the row that every deriving instance updates. */
    private static Flux<Long> pauses(Flux<Long> looks) {
        return looks.take(LOOKS_MAX).concatMap(look -> Mono.delay(pause(look)));
    }

    private static Duration pause(long look) {
        var pause = FIRST_PAUSE.multipliedBy(look + 1);
        return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
    }

    /** A position in the user's shard of the user log. */
    record UserLogPosition(UserId user, long pos) {}
}
