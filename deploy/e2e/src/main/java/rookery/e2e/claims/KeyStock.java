package rookery.e2e.claims;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a device has uploaded before the first claim.
 *
 * @param device with its user, as claims name it
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
