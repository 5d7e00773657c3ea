// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

/**
 * A one-time key or a fallback key.
 *
 * @param name such as {@code signed_curve25519:K1}
 * @param content as JSON
 */
record ClaimableKey(String name, String content) {}
