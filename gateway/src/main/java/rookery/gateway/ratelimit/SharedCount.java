package rookery.gateway.ratelimit;

/**
 * The count of a request in Redis.
 *
 * @param count the request's number in its window
 * @param windowEnd end of the window in ms by the clock of Redis
 * @param now the current time by the clock of Redis
 */
record SharedCount(long count, long windowEnd, long now) {
    long remainingMs() {
        return windowEnd - now;
    }
}
