package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Checker;
import rookery.e2e.checking.History;
import rookery.e2e.checking.Violation;
import rookery.e2e.running.Rookery;

/** A talk that is over, to be judged. */
public final class Talked {
    private final Crowd crowd;
    private final Recorder recorder;
    private final int messages;
    private final Duration spoken;
    private final boolean allHeard;

    Talked(Crowd crowd, Recorder recorder, int messages, Duration spoken, boolean allHeard) {
        this.crowd = crowd;
        this.recorder = recorder;
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

    /** How many events were told to clients. */
    public int deliveries() {
        return recorder.deliveries();
    }

    /**
     * What is wrong with it, by what the clients heard and by what stands in the database.
     *
     * @param patience within which a message must have arrived; null when processes were killed
     */
    public List<Violation> violations(Rookery rookery, @Nullable Duration patience) {
        var rooms = rookery.database("room-service");
        var history = history(rookery);
        var violations = new ArrayList<>(Checker.violations(history, patience));
        EventTable.shards(rooms, "room").forEach(line -> violations.addAll(line.violations()));
        EventTable.shards(rookery.database("auth-service"), "user")
                .forEach(line -> violations.addAll(line.violations()));
        return violations;
    }

    private History history(Rookery rookery) {
        return recorder.history(crowd, EventTable.events(rookery.database("room-service"), crowd));
    }
}
