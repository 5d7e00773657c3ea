// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.util.List;

/** A broken promise of contract.md 13.5; the text is part of the report. */
sealed interface ClaimViolation {
    /** Several responses contained the same one-time key. */
    record GivenTwice(String device, String key, List<String> clients) implements ClaimViolation {}

    /** The key of a response differs from all uploaded keys of the device. */
    record Unknown(String device, ClaimableKey key, String client) implements ClaimViolation {}

    /** A response contained no key, although the fallback key is always available. */
    record NothingGiven(String device, String client) implements ClaimViolation {}

    /**
     * A response contained the fallback key while one-time keys were left.
     *
     * @param claimed the largest possible number of claimed keys at that time, including claims without a response
     */
    record FallbackTooEarly(String device, String client, int claimed, int uploaded) implements ClaimViolation {}

    /** No response contained the fallback key, although claims continued after the last one-time key. */
    record NoFallback(String device) implements ClaimViolation {}

    /** More keys were used up without a response than there are claims without a response. */
    record NeverGiven(String device, int keys, int unanswered) implements ClaimViolation {}
}
