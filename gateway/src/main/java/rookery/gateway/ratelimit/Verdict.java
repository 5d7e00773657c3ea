package rookery.gateway.ratelimit;

/**
 * Where a request stands in its window.
 *
 * @param count its number in the window, from 1; 0 if it is not counted
 * @param remainingMs milliseconds to the end of the window
 * @param allowed whether it may go on
 */
public record Verdict(long count, long remainingMs, boolean allowed) {
    static final Verdict NOT_COUNTED = new Verdict(0, 0, true);
}
