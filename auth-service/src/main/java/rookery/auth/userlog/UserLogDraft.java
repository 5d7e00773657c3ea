// SPDX-License-Identifier: Apache-2.0
package rookery.auth.userlog;

import reactor.core.publisher.Mono;
import rookery.platform.log.append.Outcome.Accepted;

/**
 * A change of one user's data with its entries in the user log.
 *
 * @param <A> the result for the caller
 */
@FunctionalInterface
public interface UserLogDraft<A> {
    /**
     * Decides, and writes the rows of the feature. Runs in the transaction of the append, under the lock of the shard, after the
     * drafts before it, whose writes are visible. Runs again if the transaction is retried. An ApiException refuses the draft
     * alone, without a rollback, so it comes before any write.
     *
     * @param pos the position of the draft's first entry
     */
    Mono<Accepted<A>> applied(long pos);
}
