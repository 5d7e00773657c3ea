package rookery.platform.log.append;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * What the owner of a log decided about a batch.
 *
 * @param outcomes one for each draft, shard after shard, in the order of the drafts; their entries get the positions after the shard's
 *     head, in this order
 * @param derived writes what the owner keeps besides the log, in the transaction that appends the entries
 * @param committed runs once the transaction is committed, for what is kept in memory; must not fail
 */
public record Decision<A>(List<Outcome<A>> outcomes, Mono<Void> derived, Runnable committed) {}
