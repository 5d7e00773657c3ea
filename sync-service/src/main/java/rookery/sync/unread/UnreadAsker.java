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

/** Asks push-service for what of a user's unread events cannot be told from here. */
@Component
public class UnreadAsker {
    private static final Logger log = LoggerFactory.getLogger(UnreadAsker.class);

    private final CountsClient counts;
    private final JudgedEvents judged;

    UnreadAsker(CountsClient counts, JudgedEvents judged) {
        this.counts = counts;
        this.judged = judged;
    }

    /** Of whom is asked, and the rooms that they are joined to. */
    public record UserToAsk(
            TenantId tenant, UserId user, UserUnread unread, Function<Collection<RoomId>, Map<RoomId, Place>> places) {}

    /** Completes soon, whether or not push-service knew: messages flow without it, and it is asked again later. */
    public Mono<Void> asked(UserToAsk asking, Positions upto) {
        return Mono.defer(() -> {
            if (counts.isAway()) {
                return Mono.empty();
            }
            var question = asking.unread.question(System.nanoTime());
            return question == null ? Mono.empty() : ask(asking, upto, question);
        });
    }

    /** Whether asking is of no use at this moment. */
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
