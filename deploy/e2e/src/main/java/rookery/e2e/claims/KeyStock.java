// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys that a device uploaded before the first claim.
 *
 * @param device user id and device id, as in claims
 * @param oneTime in the order of the upload
 */
record KeyStock(String device, List<ClaimableKey> oneTime, ClaimableKey fallback) {
    KeyStock {
        oneTime = List.copyOf(oneTime);
    }

    Set<ClaimableKey> oneTimeKeys() {
        return new HashSet<>(oneTime);
    }
}
