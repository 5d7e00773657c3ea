// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

/** The number of a request in its window, counted in Redis; times are in ms by the clock of Redis. */
record SharedCount(long count, long windowEnd, long now) {
    long remainingMs() {
        return windowEnd - now;
    }
}
