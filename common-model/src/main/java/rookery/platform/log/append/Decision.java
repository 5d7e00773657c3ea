// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The owner's decision about a batch.
 *
 * @param outcomes one for each draft, shard after shard, in the order of the drafts; their entries get the positions after the
 *     shard's head, in this order
 * @param derived writes the owner's other tables, in the transaction that appends the entries
 * @param committed updates the owner's memory after the commit; must not fail
 */
public record Decision<A>(List<Outcome<A>> outcomes, Mono<Void> derived, Runnable committed) {}
