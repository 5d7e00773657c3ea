package rookery.push.gateway;

import java.util.Set;

/** What became of one request to a push gateway. */
public sealed interface GatewayAnswer {
    /**
     * The gateway took the push.
     *
     * @param rejected the pushkeys that it wants to hear no more of
     */
    record Taken(int status, Set<String> rejected) implements GatewayAnswer {}

    /** The gateway answered, and not what it should. */
    record Refused(int status) implements GatewayAnswer {}

    /** There was no answer: no connection, no trust, or not in time. */
    record Unreachable(String cause) implements GatewayAnswer {}
}
