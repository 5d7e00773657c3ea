package rookery.e2e.claims;

import java.util.List;

/** A broken promise of contract.md 13.5. Its text is for people. */
sealed interface ClaimViolation {
    /** One one-time key was the answer to several claims. */
    record GivenTwice(String device, String key, List<String> clients) implements ClaimViolation {}

    /** A key was answered that the device has not uploaded, or not like that. */
    record Unknown(String device, ClaimableKey key, String client) implements ClaimViolation {}

    /** A claim was answered without a key, although a fallback key is there for ever. */
    record NothingGiven(String device, String client) implements ClaimViolation {}

    /**
     * The fallback key was given out while one-time keys were left.
     *
     * @param claimed how many keys claims can have taken until then, with all whose answer was lost
     */
    record FallbackTooEarly(String device, String client, int claimed, int uploaded) implements ClaimViolation {}

    /** The fallback key was never given out, although the last claims came after all keys were used. */
    record NoFallback(String device) implements ClaimViolation {}

    /** More keys were given to nobody than claims have lost their answer. */
    record NeverGiven(String device, int keys, int unanswered) implements ClaimViolation {}
}
