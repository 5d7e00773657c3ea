// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a sync request.
 *
 * @param since a sync token, or null for an initial sync
 * @param timeout the longest wait for new data
 * @param filter a filter as JSON or a stored filter's id, or null
 * @param unseen whether the request leaves the user's presence offline
 */
public record SyncQuery(
        @Nullable String since, Duration timeout, @Nullable String filter, boolean unseen) {
    /** An initial sync without a wait. */
    public static SyncQuery initial() {
        return new SyncQuery(null, Duration.ZERO, null, false);
    }

    /** An incremental sync without a wait. */
    public static SyncQuery since(String since) {
        return new SyncQuery(since, Duration.ZERO, null, false);
    }

    public SyncQuery waiting(Duration longest) {
        return new SyncQuery(since, longest, filter, unseen);
    }

    public SyncQuery filtered(String by) {
        return new SyncQuery(since, timeout, by, unseen);
    }

    /** Limits the timeline events of each room. */
    public SyncQuery timelineLimit(int limit) {
        return filtered("{\"room\":{\"timeline\":{\"limit\":%d}}}".formatted(limit));
    }

    public SyncQuery whileUnseen() {
        return new SyncQuery(since, timeout, filter, true);
    }

    /** Path and parameters. */
    public String path() {
        var path = new StringBuilder("/v3/sync?timeout=").append(timeout.toMillis());
        if (since != null) {
            path.append("&since=").append(Paths.encoded(since));
        }
        if (filter != null) {
            path.append("&filter=").append(Paths.encoded(filter));
        }
        return path.append(unseen ? "&set_presence=offline" : "").toString();
    }
}
