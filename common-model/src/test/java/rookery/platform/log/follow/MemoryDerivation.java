// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;

/** Derives a row from every entry whose body is neither empty nor {@code skip}; the body {@code unreadable} cannot be parsed. */
final class MemoryDerivation implements Derivation<String> {
    private final MemoryShards shards;
    /** The failure of a write with an entry of this body. */
    Function<String, @Nullable RuntimeException> failure = _ -> null;

    MemoryDerivation(MemoryShards shards) {
        this.shards = shards;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return !bare.body().equals("skip");
    }

    @Override
    public @Nullable String read(LogRecord entry) {
        if (entry.body().equals("unreadable")) {
            throw new IllegalArgumentException(entry.body());
        }
        return entry.body().isEmpty() ? null : entry.pos() + "=" + entry.body();
    }

    @Override
    public Mono<Void> write(List<News<String>> news) {
        return Mono.fromRunnable(() -> {
            for (var item : news) {
                var thrown = failure.apply(item.entry().body());
                if (thrown != null) {
                    throw thrown;
                }
                shards.rows.add(item.parsedEntry());
            }
        });
    }

    @Override
    public Mono<Void> drop() {
        return Mono.fromRunnable(shards.rows::clear);
    }
}
