// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.Collection;
import java.util.Map;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The badge counts of the app icons of users. */
public interface Badge {
    /** The current count of each of these users. */
    Mono<Map<UserId, Integer>> of(TenantId tenant, Collection<UserId> users);
}
