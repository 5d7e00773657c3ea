// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;

/**
 * The derivation of a service's tables from a log; {@link DerivingListener} follows the log for it.
 *
 * @param <N> the parsed form of an entry
 */
public interface Derivation<N> {
    /**
     * An entry, beside its parsed form.
     *
     * @param entry the entry as in the log, with its position
     * @param parsedEntry the result of {@link #read}
     */
    record News<N>(LogRecord entry, N parsedEntry) {}

    /** Whether the derivation needs the body of this entry, which is still empty here. */
    boolean wants(LogRecord bare);

    /** Parses the entry; null for an entry without effect. An entry whose parsing throws is logged and skipped. */
    @Nullable
    N read(LogRecord entry);

    /** Parses the entries that the derivation wants. An unreadable entry must not block the others. */
    default List<News<N>> news(List<LogRecord> entries) {
        var news = new ArrayList<News<N>>();
        for (var entry : entries) {
            try {
                var parsed = wants(entry) ? read(entry) : null;
                if (parsed != null) {
                    news.add(new News<>(entry, parsed));
                }
            } catch (RuntimeException e) {
                LoggerFactory.getLogger(Derivation.class)
                        .atError()
                        .addKeyValue("kind", entry.kind())
                        .addKeyValue("shard", entry.shard())
                        .addKeyValue("pos", entry.pos())
                        .addKeyValue("cause", e.getClass().getName())
                        .log("an entry cannot be read");
            }
        }
        return news;
    }

    /**
     * The time for which entries gather, so that {@link #write} gets entries of several shards; zero for a derivation that is written
     * shard by shard.
     */
    default Duration gathering() {
        return Duration.ZERO;
    }

    /**
     * Writes the parsed entries of a stretch of one shard, or of several shards, in order; never called with none. Runs inside the
     * transaction that moves the position and may roll back, so it must change nothing but the database. Runs again after a failure.
     */
    Mono<Void> write(List<News<N>> news);

    /**
     * Deletes everything that was ever written, because the log begins anew; inside the transaction that resets the positions.
     */
    Mono<Void> drop();
}
