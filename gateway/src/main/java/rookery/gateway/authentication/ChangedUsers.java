// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import rookery.model.id.TenantUser;

/**
 * The users whose sessions have changed within the last minute, with the time of the notice: an answer of auth-service to an earlier
 * question may be older than the change. No question is open for a minute. Not thread-safe.
 */
final class ChangedUsers {
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final int most;
    /** Ordered by the time of the notice. */
    private final LinkedHashMap<TenantUser, Long> noticed = new LinkedHashMap<>();

    private boolean hasForgotten;
    /** The latest notice that was removed for lack of space; earlier questions of all users are doubtful. */
    private long forgottenAt;

    ChangedUsers(int most) {
        this.most = most;
    }

    void add(TenantUser user, long now) {
        noticed.remove(user);
        noticed.put(user, now);
        for (var oldest = noticed.firstEntry(); oldest != null; oldest = noticed.firstEntry()) {
            boolean isOver = now - oldest.getValue() > KEPT_NANOS;
            if (!isOver && noticed.size() <= most) {
                return;
            }
            if (!isOver) {
                hasForgotten = true;
                forgottenAt = oldest.getValue();
            }
            noticed.pollFirstEntry();
        }
    }

    /** Whether the answer to a question asked at this time may be older than a change. */
    boolean isDoubtful(TenantUser user, long askedAt) {
        var at = noticed.get(user);
        boolean isBeforeTheNotice = at != null && askedAt - at <= 0;
        return isBeforeTheNotice || (hasForgotten && askedAt - forgottenAt <= 0);
    }
}
