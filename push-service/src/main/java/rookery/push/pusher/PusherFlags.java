// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Is notified, in the transaction of the change, whether a user has pushers. */
public interface PusherFlags {
    Mono<Void> changed(TenantId tenant, UserId user, boolean hasPushers);
}
