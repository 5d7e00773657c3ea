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

    /** The positions of a shard are not those from 1 to its head. */
    record Gap(String log, int shard, long head, long entries) implements Violation {}

    /** A shard ends in the middle of a unit. */
    record HalfUnit(String log, int shard, long head) implements Violation {}
}
