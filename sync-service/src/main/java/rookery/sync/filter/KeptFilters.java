// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.filter.SyncFilter;
import rookery.model.token.TokenOwner;

/** A cache of recently used filters, limited by total length, because filters differ in length by a factor of a thousand. */
final class KeptFilters {
    private static final int OVERHEAD_CHARS = 400;

    private final Map<FilterKey, KeptFilter> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final long charsMax;
    private long chars;

    private record FilterKey(TokenOwner owner, String id) {}

    private record KeptFilter(SyncFilter filter, int chars) {}

    KeptFilters(long charsMax) {
        this.charsMax = charsMax;
    }

    synchronized @Nullable SyncFilter find(TokenOwner owner, String id) {
        var entry = kept.get(new FilterKey(owner, id));
        return entry == null ? null : entry.filter;
    }

    /** @param id the saved filter's id, or the filter itself as JSON */
    synchronized void keep(TokenOwner owner, String id, SyncFilter filter, int length) {
        var before = kept.put(new FilterKey(owner, id), new KeptFilter(filter, length + OVERHEAD_CHARS));
        chars += length + OVERHEAD_CHARS - (before == null ? 0 : before.chars);
        while (chars > charsMax) {
            var oldest = kept.values().iterator();
            chars -= oldest.next().chars;
            oldest.remove();
        }
    }

    synchronized int size() {
        return kept.size();
    }
}
