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
import rookery.sync.unread.UserUnread.Question;

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
            TenantId tenant, UserId user, UserUnread unread, Function<Collection<RoomId>, Map<RoomId, Place>> places) {}

    /** Completes soon, with or without an answer: events do not wait for push-service, and a later call corrects the counts. */
    public Mono<Void> asked(UserToAsk asking, Positions upto) {
        return Mono.defer(() -> {
            if (counts.isAway()) {
                return Mono.empty();
            }
            var question = asking.unread.question(System.nanoTime());
            return question == null ? Mono.empty() : ask(asking, upto, question);
        });
    }

    /** Whether push-service has just failed. */
    public boolean isAway() {
        return counts.isAway();
    }

    private Mono<Void> ask(UserToAsk asking, Positions upto, Question question) {
        return counts.of(asking.tenant, asking.user, upto, question.rooms())
                .doOnNext(told -> asking.unread.install(question, told, asking.places, judged))
                .doOnError(
                        failure -> !(failure instanceof ApiException || failure instanceof TimeoutException),
                        failure -> log.atError().setCause(failure).log("unread counts cannot be understood"))
                .onErrorComplete()
                .then();
    }
}
