// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

/** The number of a request in its window, from 1, and the time to the end of the window. */
public record Verdict(long count, long remainingMs, boolean allowed) {}
