// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decides about drafts while their shards are locked; implemented by the owner of a log.
 *
 * @param <D> a draft
 * @param <A> the answer to the draft's author
 */
public interface BatchJudge<D, A> {
    /**
     * The drafts for one shard, in order.
     *
     * @param head the end of the shard
     */
    record ShardDrafts<D>(Head head, List<D> drafts) {}

    /**
     * Reads the rows that the drafts need, and judges the drafts of each shard in order, each with the effects of the drafts
     * before. Runs inside the transaction, and again for the same drafts after a failed transaction, so all effects go through
     * the decision.
     *
     * <p>All written rows belong to these shards: two transactions with different shards must never wait for each other.
     */
    Mono<Decision<A>> judge(List<ShardDrafts<D>> batch);

    /**
     * Judges the drafts without reading, by the owner's memory of the shards at these ends. The shards are not locked: a decision
     * is stored, and answered, only if they still end there. Null if the memory does not suffice.
     */
    default @Nullable RememberedDecision<A> remembered(List<ShardDrafts<D>> batch) {
        return null;
    }
}
