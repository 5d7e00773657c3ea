package rookery.gateway.ratelimit;

/**
 * What Redis says about a request.
 *
 * @param count the request's number in its window
 * @param windowEnd when the window ends, milliseconds by the clock of Redis
 * @param now the time by that clock
 */
record SharedCount(long count, long windowEnd, long now) {
    long remainingMs() {
        return windowEnd - now;
    }
}
