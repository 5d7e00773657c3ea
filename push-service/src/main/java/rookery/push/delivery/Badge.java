// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The badge count of a user's app icon. */
public interface Badge {
    /** The current count. */
    Mono<Integer> of(TenantId tenant, UserId user);
}
