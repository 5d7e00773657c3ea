// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;

/** Limits the pages that an instance fetches at a time, in all, for each user and for each tenant, which has half of them. */
@Component
class FetchSlots {
    private static final int PAUSE_MS = 2_000;
    private static final int MS = 1_000;

    private final int most;
    private final int mostOfUser;
    private final Map<TenantUser, Integer> ofUsers = new HashMap<>();
    private final Map<TenantId, Integer> ofTenants = new HashMap<>();
    private int all;

    FetchSlots(PreviewProperties properties) {
        this.most = properties.atOnce();
        this.mostOfUser = properties.ofUserAtOnce();
    }

    /** M_LIMIT_EXCEEDED at the user's limit; 503 at the limit of the tenant or the instance. */
    synchronized void take(TenantUser user) {
        if (ofUsers.getOrDefault(user, 0) >= mostOfUser) {
            throw new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "wait for the previews that you have asked for")
                    .with("retry_after_ms", PAUSE_MS)
                    .withRetryAfter(PAUSE_MS / MS);
        }
        if (all >= most || ofTenants.getOrDefault(user.tenant(), 0) >= Math.max(1, most / 2)) {
            throw ApiException.unavailable("there are too many previews to make, ask again later");
        }
        all++;
        ofUsers.merge(user, 1, Integer::sum);
        ofTenants.merge(user.tenant(), 1, Integer::sum);
    }

    synchronized void giveBack(TenantUser user) {
        all--;
        ofUsers.computeIfPresent(user, (_, slots) -> slots > 1 ? slots - 1 : null);
        ofTenants.computeIfPresent(user.tenant(), (_, slots) -> slots > 1 ? slots - 1 : null);
    }
}
