package rookery.e2e.checking;

import java.time.Duration;
import java.util.List;

/** A broken promise. Its text is for people. */
public sealed interface Violation {
    /** A message whose sender was told that it is accepted, or that others heard, never reached the client. */
    record Lost(String client, String room, String eventId) implements Violation {}

    /** A client was told one event more than once. */
    record Doubled(String client, String room, String eventId, long times) implements Violation {}

    /** One message became several events. */
    record Multiplied(String room, String tag, List<String> eventIds) implements Violation {}

    /** Repetitions of one request were answered with different events. */
    record Disagreeing(String client, String txnId, List<String> eventIds) implements Violation {}

    /** Two clients were told two events in different orders. */
    record Reordered(String room, String oneClient, String otherClient, String eventId, String laterEventId)
            implements Violation {}

    /** A client was told what happened in a room it is not in. */
    record Foreign(String client, String room, String eventId) implements Violation {}

    /** A client waited for a message that had long been accepted. */
    record Late(String client, String room, String eventId, Duration after) implements Violation {}

    /** Positions of a shard up to its head were never written, or what stood there was deleted although it still counts. */
    record Gap(String log, int shard, long head, List<Long> positions) implements Violation {}

    /** An entry stands above the head of its shard. */
    record Overrun(String log, int shard, long head, long highest) implements Violation {}

    /** A shard ends in the middle of a unit. */
    record HalfUnit(String log, int shard, long head) implements Violation {}
}
