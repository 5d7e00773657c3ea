// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

/**
 * A request of a client for a key. Times are of {@link System#nanoTime}.
 *
 * @param client the claiming user
 * @param device the owner of the key
 */
record Claim(String client, String device, long begunNanos, long endedNanos, Outcome outcome) {
    /** The result of a claim. */
    sealed interface Outcome {}

    /** The response contained a key. */
    record KeyAnswer(ClaimableKey key) implements Outcome {}

    /** The response was successful and contained no key. */
    record NoKey() implements Outcome {}

    /** The request failed or the response was lost: the claim may have used up a key. */
    record NoAnswer() implements Outcome {}
}
