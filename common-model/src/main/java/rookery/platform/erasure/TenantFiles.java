// SPDX-License-Identifier: Apache-2.0
package rookery.platform.erasure;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;

/** Data of a service outside of its database. */
public interface TenantFiles {
    /** Deletes a portion of the tenant's files and returns their number; 0 when no file is left. */
    Mono<Long> erase(TenantId tenant);
}
