package rookery.platform.log.follow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;

/**
 * The derivation of a service's tables from a log; {@link DerivingListener} follows the log for it.
 *
 * @param <N> the parsed form of an entry
 */
public interface Derivation<N> {
    /**
     * A parsed entry.
     *
     * @param entry the entry with its position
     */
    record News<N>(LogRecord entry, N told) {}

    /** Whether the derivation needs the body of this entry, which is still empty here. */
    boolean wants(LogRecord bare);

    /** Parses the entry; null for an entry without effect. An entry whose parsing throws is logged and skipped. */
    @Nullable
    N read(LogRecord entry);

    /**
     * Writes the parsed entries of a stretch of one shard, in order; never called with none. Runs inside the transaction that
     * moves the position and may roll back, so it must change nothing but the database. Runs again after a failure.
     */
    Mono<Void> write(List<News<N>> news);

    /**
     * Deletes everything that was ever written, because the log begins anew; inside the transaction that resets the positions.
     */
    Mono<Void> drop();
}
