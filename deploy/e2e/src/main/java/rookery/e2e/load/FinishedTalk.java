// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Checker;
import rookery.e2e.checking.History;
import rookery.e2e.checking.Violation;
import rookery.e2e.running.Databases;

/** The record of a finished talk. */
public final class FinishedTalk {
    private final Databases databases;
    private final Crowd crowd;
    private final Recorder recorder;
    private final List<PositionAudit> audits;
    private final int messages;
    private final Duration spoken;
    private final boolean allReceived;

    FinishedTalk(
            Databases databases,
            Crowd crowd,
            Recorder recorder,
            List<PositionAudit> audits,
            int messages,
            Duration spoken,
            boolean allReceived) {
        this.databases = databases;
        this.crowd = crowd;
        this.recorder = recorder;
        this.audits = audits;
        this.messages = messages;
        this.spoken = spoken;
        this.allReceived = allReceived;
    }

    /** The number of messages, without the final messages. */
    public int messages() {
        return messages;
    }

    /** The time of sending. */
    public Duration spoken() {
        return spoken;
    }

    /** Whether every member received a final message in time. */
    public boolean allReceived() {
        return allReceived;
    }

    /** Failures that kills do not excuse, such as a 401 for a valid token. */
    public List<String> troubles() {
        return recorder.troubles();
    }

    /** The number of failed attempts. */
    public long failedAttempts() {
        return recorder.allSent().stream()
                .flatMap(sent -> sent.replies().stream())
                .filter(reply -> reply.eventId() == null)
                .count();
    }

    /** The number of deleted log entries with superseded receipts only. */
    public long supersededEntries() {
        return audits.stream().mapToLong(PositionAudit::rightlyDeleted).sum();
    }

    /** The number of events that clients received. */
    public int deliveries() {
        return recorder.deliveries();
    }

    /**
     * All violations, from the clients' records and the database.
     *
     * @param patience the longest delay of an accepted message; null when processes were killed
     */
    public List<Violation> violations(@Nullable Duration patience) {
        var violations = new ArrayList<>(Checker.violations(history(), patience));
        for (var audit : audits) {
            audit.shards().forEach(shard -> violations.addAll(shard.violations()));
        }
        return violations;
    }

    /** All failures and violations as text; empty when the promises are kept. */
    public List<String> faults(@Nullable Duration patience) {
        var faults = new ArrayList<>(troubles());
        violations(patience).forEach(violation -> faults.add(violation.toString()));
        if (!allReceived) {
            faults.add("not every member received the final messages");
        }
        return faults;
    }

    /** The figures in one line. */
    public String summary() {
        return "sent %d messages in %.1f s (%.1f a second), %d deliveries, %d attempts failed and were repeated"
                .formatted(
                        messages,
                        spoken.toMillis() / 1000.0,
                        messages * 1000.0 / spoken.toMillis(),
                        deliveries(),
                        failedAttempts());
    }

    private History history() {
        return recorder.history(crowd, EventTable.events(databases.database("room-service"), crowd));
    }
}
