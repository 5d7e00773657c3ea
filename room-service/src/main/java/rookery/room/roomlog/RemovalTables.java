// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.Head;
import rookery.room.table.Purges;
import rookery.room.table.SearchIndex;

/** Applies the redactions and purges of a batch to rows of earlier batches and of the same batch. */
@Component
class RemovalTables {
    private final Redactions redactions;
    private final Threads threads;
    private final SearchIndex search;
    private final MediaReferences media;
    private final Purges purges;

    RemovalTables(Redactions redactions, Threads threads, SearchIndex search, MediaReferences media, Purges purges) {
        this.redactions = redactions;
        this.threads = threads;
        this.search = search;
        this.media = media;
        this.purges = purges;
    }

    record ShardRows(Head head, BatchRows rows) {}

    /** Called last, because redacted events may be of the same batch. */
    Mono<Void> write(List<ShardRows> shards, BatchRows all, long nowMillis) {
        return Flux.concat(
                        Flux.fromIterable(shards)
                                .concatMap(shard ->
                                        redactions.apply(shard.head.shard(), shard.rows.redactions, nowMillis)),
                        threads.remove(all.redactions),
                        search.remove(all.redacted()),
                        media.redact(all.redactions, nowMillis),
                        Flux.fromIterable(shards)
                                .concatMap(shard -> purges.hide(shard.head, shard.rows.purged, nowMillis)))
                .then();
    }
}
