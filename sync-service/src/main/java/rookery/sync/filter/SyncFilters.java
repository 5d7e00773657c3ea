// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.filter.SyncFilter;
import rookery.model.token.TokenOwner;
import rookery.platform.event.FilterReader;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;

/** The filter of a sync, given as JSON or as the id of a saved filter. Filters are immutable, and cached. */
@Component
public class SyncFilters {
    private static final long KEPT_CHARS_MAX = 4_000_000;

    private final Filters table;
    private final KeptFilters kept = new KeptFilters(KEPT_CHARS_MAX);

    SyncFilters(Filters table) {
        this.table = table;
    }

    /** 400 for an unknown id or an invalid filter. */
    public Mono<SyncFilter> find(TokenOwner owner, @Nullable String filter) {
        if (filter == null) {
            return Mono.just(SyncFilter.ALL);
        }
        var cached = kept.find(owner, filter);
        if (cached != null) {
            return Mono.just(cached);
        }
        if (filter.startsWith("{")) { // cached too: waiting requests with equal filters share one object
            return Mono.fromCallable(() -> kept(owner, filter, filter));
        }
        return table.find(owner, filter)
                .cache() // completes even if the client disconnects: cancelling a query can spoil its connection
                .map(json -> kept(owner, filter, json))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_INVALID_PARAM, "no such filter")));
    }

    private SyncFilter kept(TokenOwner owner, String id, String json) {
        var read = FilterReader.sync(new JsonBody(StrictJson.object(json)));
        kept.keep(owner, id, read, id.length() + json.length());
        return read;
    }
}
