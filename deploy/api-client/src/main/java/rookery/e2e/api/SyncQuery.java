package rookery.e2e.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to ask of sync.
 *
 * @param since a token, or null for an initial sync
 * @param timeout how long to wait for news
 * @param filter JSON or the id of a stored one, or null
 * @param unseen whether others are not told that who asks is there
 */
public record SyncQuery(
        @Nullable String since, Duration timeout, @Nullable String filter, boolean unseen) {
    /** Everything, now. */
    public static SyncQuery initial() {
        return new SyncQuery(null, Duration.ZERO, null, false);
    }

    /** What is new, now. */
    public static SyncQuery since(String since) {
        return new SyncQuery(since, Duration.ZERO, null, false);
    }

    public SyncQuery waiting(Duration longest) {
        return new SyncQuery(since, longest, filter, unseen);
    }

    public SyncQuery filtered(String by) {
        return new SyncQuery(since, timeout, by, unseen);
    }

    /** With at most so many events of a room at once. */
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
