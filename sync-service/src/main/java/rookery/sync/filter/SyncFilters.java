package rookery.sync.filter;

import java.util.LinkedHashMap;
import java.util.Map;
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

/** The filter that a sync names: as JSON, or by the id under which it was saved. Saved ones never change, so they are kept. */
@Component
public class SyncFilters {
    private static final int KEPT_MAX = 10_000;

    private final Filters table;
    private final Map<Key, SyncFilter> kept = new LinkedHashMap<>();

    private record Key(TokenOwner owner, String id) {}

    SyncFilters(Filters table) {
        this.table = table;
    }

    /** 400 for an unknown id, or for JSON that is no filter. */
    public Mono<SyncFilter> find(TokenOwner owner, @Nullable String filter) {
        if (filter == null) {
            return Mono.just(SyncFilter.ALL);
        }
        if (filter.startsWith("{")) {
            return Mono.fromCallable(() -> read(filter));
        }
        var key = new Key(owner, filter);
        var known = kept(key);
        if (known != null) {
            return Mono.just(known);
        }
        return table.find(owner, filter)
                .cache() // a client that hangs up must not cancel the query in the middle: that can spoil its
                // connection
                .map(SyncFilters::read)
                .doOnNext(read -> keep(key, read))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_INVALID_PARAM, "no such filter")));
    }

    private static SyncFilter read(String json) {
        return FilterReader.sync(new JsonBody(StrictJson.object(json)));
    }

    private @Nullable SyncFilter kept(Key key) {
        synchronized (kept) {
            return kept.get(key);
        }
    }

    private void keep(Key key, SyncFilter filter) {
        synchronized (kept) {
            kept.put(key, filter);
            if (kept.size() > KEPT_MAX) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
    }
}
