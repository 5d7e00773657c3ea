package rookery.platform.log.follow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;

/**
 * What a service derives from a log into its own tables; {@link DerivingListener} follows for it.
 *
 * @param <N> what an entry tells
 */
public interface Derivation<N> {
    /**
     * An entry that told something.
     *
     * @param entry where it stands, and whose it is
     */
    record News<N>(LogRecord entry, N told) {}

    /** Whether the body of such an entry is needed; asked before it is read, with an empty body. */
    boolean wants(LogRecord bare);

    /** What the entry tells, or null for nothing. An entry that makes it throw is said to be unreadable, and passed over. */
    @Nullable
    N read(LogRecord entry);

    /**
     * Writes what a stretch of one shard told, in the order of the log; never empty. Called inside the transaction that moves the
     * position, which may be rolled back, so it changes nothing else than the database. If it fails, it is called again.
     */
    Mono<Void> write(List<News<N>> news);

    /** Drops everything that was ever written: the log begins anew. Inside the transaction that says so. */
    Mono<Void> drop();
}
