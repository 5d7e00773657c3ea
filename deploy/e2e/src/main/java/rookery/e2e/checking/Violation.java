// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import java.time.Duration;
import java.util.List;

/** A broken promise; the text is part of the report. */
public sealed interface Violation {
    /** A message that was accepted, or that another member received, did not reach the client. */
    record Lost(String client, String room, String eventId) implements Violation {}

    /** A client received an event more than once. */
    record Doubled(String client, String room, String eventId, long times) implements Violation {}

    /** A message became several events. */
    record Multiplied(String room, String tag, List<String> eventIds) implements Violation {}

    /** Repetitions of a request got different event ids. */
    record Disagreeing(String client, String txnId, List<String> eventIds) implements Violation {}

    /** Two clients received two events in different orders. */
    record Reordered(String room, String oneClient, String otherClient, String eventId, String laterEventId)
            implements Violation {}

    /** A client received an event of a room without being a member. */
    record Foreign(String client, String room, String eventId) implements Violation {}

    /** A client received an accepted message too late. */
    record Late(String client, String room, String eventId, Duration after) implements Violation {}

    /** Positions up to the head of a shard have no entry, although no deletion was permitted. */
    record Gap(String log, int shard, long head, List<Long> positions) implements Violation {}

    /** An entry has a position above the head of its shard. */
    record Overrun(String log, int shard, long head, long highest) implements Violation {}

    /** A shard ends in the middle of a unit. */
    record HalfUnit(String log, int shard, long head) implements Violation {}
}
