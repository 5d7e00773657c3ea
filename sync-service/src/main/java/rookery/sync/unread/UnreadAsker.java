// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.sync.unread.UserUnread.RoomsToAsk;

/** Updates a user's unread counts from push-service where memory does not suffice. */
@Component
public class UnreadAsker {
    private static final Logger log = LoggerFactory.getLogger(UnreadAsker.class);

    private final CountsClient counts;
    private final JudgedEvents judged;

    UnreadAsker(CountsClient counts, JudgedEvents judged) {
        this.counts = counts;
        this.judged = judged;
    }

    /** The user, and a lookup of joined rooms. */
    public record UserToAsk(
            TenantId tenant,
            UserId user,
            UserUnread unread,
            Function<Collection<RoomId>, Map<RoomId, CountedRoom>> places) {}

    /** Completes soon, with or without an answer: events do not wait for push-service, and a later call corrects the counts. */
    public Mono<Void> update(UserToAsk userToAsk, Positions upto) {
        return Mono.defer(() -> {
            if (counts.isAway()) {
                return Mono.empty();
            }
            var toAsk = userToAsk.unread.toAsk(System.nanoTime());
            return toAsk == null ? Mono.empty() : ask(userToAsk, upto, toAsk);
        });
    }

    /** Whether push-service has just failed. */
    public boolean isAway() {
        return counts.isAway();
    }

    private Mono<Void> ask(UserToAsk userToAsk, Positions upto, RoomsToAsk toAsk) {
        return counts.of(userToAsk.tenant, userToAsk.user, upto, toAsk.rooms())
                .doOnNext(answer -> userToAsk.unread.install(toAsk, answer, userToAsk.places, judged))
                .doOnError(
                        failure -> !(failure instanceof ApiException || failure instanceof TimeoutException),
                        failure -> log.atError().setCause(failure).log("unread counts of push-service are malformed"))
                .onErrorComplete()
                .then();
    }
}
