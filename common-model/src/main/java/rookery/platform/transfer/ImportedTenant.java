// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;

/** Derives rows from imported rows, where no log does. */
public interface ImportedTenant {
    /** Runs in the transaction at the end of an import, and may be repeated. */
    Mono<Void> complete(TenantId tenant);
}
