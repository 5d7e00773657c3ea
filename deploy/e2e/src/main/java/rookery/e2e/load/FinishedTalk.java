package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Checker;
import rookery.e2e.checking.History;
import rookery.e2e.checking.Violation;
import rookery.e2e.running.Databases;

/** A talk that is over, to be judged. */
public final class FinishedTalk {
    private final Databases databases;
    private final Crowd crowd;
    private final Recorder recorder;
    private final List<PositionAudit> audits;
    private final int messages;
    private final Duration spoken;
    private final boolean allHeard;

    FinishedTalk(
            Databases databases,
            Crowd crowd,
            Recorder recorder,
            List<PositionAudit> audits,
            int messages,
            Duration spoken,
            boolean allHeard) {
        this.databases = databases;
        this.crowd = crowd;
        this.recorder = recorder;
        this.audits = audits;
        this.messages = messages;
        this.spoken = spoken;
        this.allHeard = allHeard;
    }

    /** How many messages were said, without the last words. */
    public int messages() {
        return messages;
    }

    /** How long it took to say them. */
    public Duration spoken() {
        return spoken;
    }

    /** Whether everybody heard the last words in time. */
    public boolean allHeard() {
        return allHeard;
    }

    /** What went wrong in a way that no fault excuses, such as a 401 for a good token. */
    public List<String> troubles() {
        return recorder.troubles();
    }

    /** How many requests had to be repeated until they were accepted. */
    public long failedAttempts() {
        return recorder.allSent().stream()
                .flatMap(sent -> sent.replies().stream())
                .filter(reply -> reply.eventId() == null)
                .count();
    }

    /** How many entries of the logs told only receipts that were superseded while they talked, and are gone. */
    public long supersededEntries() {
        return audits.stream().mapToLong(PositionAudit::rightlyDeleted).sum();
    }

    /** How many events were told to clients. */
    public int deliveries() {
        return recorder.deliveries();
    }

    /**
     * What is wrong with it, by what the clients heard and by what stands in the database now.
     *
     * @param patience within which a message must have arrived; null when processes were killed
     */
    public List<Violation> violations(@Nullable Duration patience) {
        var violations = new ArrayList<>(Checker.violations(history(), patience));
        for (var audit : audits) {
            audit.shards().forEach(shard -> violations.addAll(shard.violations()));
        }
        return violations;
    }

    private History history() {
        return recorder.history(crowd, EventTable.events(databases.database("room-service"), crowd));
    }
}
