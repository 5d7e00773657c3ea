package rookery.platform.log.append;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * What the owner of a log decides about drafts, while their shards are locked.
 *
 * @param <D> a draft
 * @param <A> what its author is answered
 */
public interface BatchJudge<D, A> {
    /**
     * Drafts for one shard, in their order.
     *
     * @param head where the shard ends
     */
    record ShardDrafts<D>(Head head, List<D> drafts) {}

    /**
     * Reads what the drafts need and judges those of each shard in order, each seeing the effects of those before it. Runs inside the
     * transaction; may run again for the same drafts when a transaction failed, so it changes nothing but through the decision.
     *
     * <p>Whatever is written belongs to these shards: two transactions that hold different shards must never wait for each other.
     */
    Mono<Decision<A>> judge(List<ShardDrafts<D>> batch);
}
