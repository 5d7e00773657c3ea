package rookery.gateway.ratelimit;

/**
 * The position of a request in its window.
 *
 * @param count the request's number in the window, from 1
 * @param remainingMs milliseconds to the end of the window
 * @param allowed false if the window's limit is exceeded
 */
public record Verdict(long count, long remainingMs, boolean allowed) {}
