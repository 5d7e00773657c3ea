package rookery.e2e.claims;

/**
 * One request for one key, as its client knows it. Moments are of {@link System#nanoTime}.
 *
 * @param client who asked
 * @param device whose key was asked for
 */
record Claim(String client, String device, long begunNanos, long endedNanos, Outcome outcome) {
    /** What became of it. */
    sealed interface Outcome {}

    /** A key was answered. */
    record KeyAnswer(ClaimableKey key) implements Outcome {}

    /** A success without a key. */
    record NoKey() implements Outcome {}

    /** It failed, or its answer was lost: nobody knows whether it has used a key up. */
    record NoAnswer() implements Outcome {}
}
