package rookery.platform.log;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * What the owner of a log decides about drafts, while the shard is locked.
 *
 * @param <D> a draft
 * @param <A> what its author is answered
 */
public interface BatchJudge<D, A> {
    /**
     * Reads what the drafts need and judges them in order, each seeing the effects of those before it. Runs inside the
     * transaction; may run again for the same drafts when a transaction failed, so it changes nothing but through the
     * decision.
     */
    Mono<Decision<A>> judge(Head head, List<D> drafts);
}
