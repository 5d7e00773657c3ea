// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;

/**
 * A sync request.
 *
 * @param since null for an initial sync
 * @param node the sync node
 */
record SyncRequest(
        @Nullable String since, int timeoutMillis, Filter filter, boolean fullState, boolean stateAfter, int node) {
    static SyncRequest initial(Filter filter, boolean stateAfter, int node) {
        return new SyncRequest(null, 0, filter, false, stateAfter, node);
    }

    /** Whether the server must answer immediately with everything accepted before. */
    boolean isAtOnce() {
        return since == null || timeoutMillis == 0 || fullState;
    }

    String path() {
        var path = new StringBuilder("/v3/sync?timeout=").append(timeoutMillis);
        if (since != null) {
            path.append("&since=").append(Paths.encoded(since));
        }
        if (!filter.equals(Filter.ALL)) {
            path.append("&filter=").append(Paths.encoded(filter.json()));
        }
        if (fullState) {
            path.append("&full_state=true");
        }
        if (stateAfter) {
            path.append("&use_state_after=true");
        }
        return path.toString();
    }

    /** A description for reports, without the opaque token. */
    String words() {
        return "%s%s, timeout %d%s%s, filter %s"
                .formatted(
                        since == null ? "initial" : "since",
                        fullState ? ", full state" : "",
                        timeoutMillis,
                        stateAfter ? ", state after" : "",
                        filter.lazy() ? ", lazy" : "",
                        filter.json());
    }
}
