package rookery.auth.userlog;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.log.append.Outcome;

/**
 * What a feature wants to append to one user's log, and what it keeps besides the log.
 *
 * @param <A> what its author is answered
 */
public interface UserLogDraft<A> {
    TenantId tenant();

    UserId user();

    /**
     * Judges, and writes what is kept besides the log. Runs in the transaction of the append, under the shard's lock and after
     * the drafts before it, whose writes it sees; it may run again when that transaction failed. A refused draft writes nothing.
     *
     * @param pos the position that its first entry would get
     */
    Mono<Outcome<A>> applied(long pos);
}
