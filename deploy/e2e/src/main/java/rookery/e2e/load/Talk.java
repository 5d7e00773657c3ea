// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import rookery.e2e.api.Session;
import rookery.e2e.running.Databases;
import rookery.embedded.Deadline;

/**
 * Users who send messages at a steady rate, independent of the server's state, while all members sync. The talk ends when every
 * member has received a final message of each room, or after the patience.
 */
public final class Talk {
    /**
     * The amount of load.
     *
     * @param perSecond messages of all rooms together
     * @param burst messages sent at the same time
     * @param pollTimeout of the members' long polls
     * @param patience for the acceptance of a message, and for the final messages to arrive
     */
    public record Amount(double perSecond, int burst, Duration length, Duration pollTimeout, Duration patience) {
        public static Amount steady(double perSecond, Duration length) {
            return new Amount(perSecond, 1, length, Duration.ofSeconds(30), Duration.ofSeconds(60));
        }

        public Amount patience(Duration other) {
            return new Amount(perSecond, burst, length, pollTimeout, other);
        }

        int messages() {
            return (int) (perSecond * length.toMillis() / 1000);
        }
    }

    /** Two, because a kill may prevent a message. */
    private static final int LAST_WORDS = 2;

    private static final int REPEATED_EVERY = 10;
    private static final List<Integer> TIMELINE_LIMITS = List.of(100, 20, 3);

    private final Databases databases;
    private final Crowd crowd;
    private final Amount amount;
    private final Recorder recorder = new Recorder();
    private final Sender sender;
    private final List<Reader> readers = new ArrayList<>();

    private Talk(Databases databases, Crowd crowd, Amount amount) {
        this.databases = databases;
        this.crowd = crowd;
        this.amount = amount;
        this.sender = new Sender(recorder, amount.patience());
    }

    /**
     * Runs the talk. Returns its record.
     *
     * @param meanwhile runs concurrently and may kill processes; the talk continues at least until its end
     */
    public static FinishedTalk hold(Databases databases, Crowd crowd, Amount amount, Runnable meanwhile)
            throws IOException {
        return new Talk(databases, crowd, amount).hold(meanwhile);
    }

    private FinishedTalk hold(Runnable meanwhile) throws IOException {
        var audits = PositionAudit.begin(databases);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            listen(threads);
            var speakers = speakers(threads);
            long begunNanos = System.nanoTime();
            var disturbance = threads.submit(meanwhile);
            int messages = speak(speakers, disturbance::isDone);
            var spoken = Duration.ofNanos(System.nanoTime() - begunNanos);
            boolean allSaid = Deadline.in(amount.patience())
                    .until(() -> speakers.values().stream().allMatch(Speaker::hasSaidAll));
            if (!allSaid) {
                recorder.trouble("not all of %d messages came to an end".formatted(messages));
            }
            boolean allReceived = awaitLastWords();
            readers.forEach(Reader::stop);
            disturbance.get();
            threads.shutdownNow();
            return new FinishedTalk(databases, crowd, recorder, audits, messages, spoken, allReceived);
        } catch (ExecutionException e) {
            throw new IOException("the disturbance failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void listen(ExecutorService threads) throws IOException {
        for (var circle : crowd.circles()) {
            for (var person : circle.people()) {
                int limit = TIMELINE_LIMITS.get(readers.size() % TIMELINE_LIMITS.size());
                readers.add(new Reader(person, recorder, amount.pollTimeout(), limit));
            }
        }
        readers.forEach(threads::execute);
    }

    private Map<Session, Speaker> speakers(ExecutorService threads) {
        var speakers = new HashMap<Session, Speaker>();
        for (var circle : crowd.circles()) {
            circle.people().forEach(person -> speakers.put(person, new Speaker(person, sender)));
        }
        speakers.values().forEach(threads::execute);
        return speakers;
    }

    /** Queues the messages at their times, and continues until the disturbance has ended. Returns their number. */
    private int speak(Map<Session, Speaker> speakers, BooleanSupplier isOver) {
        long begunNanos = System.nanoTime();
        double nanosBetween = amount.burst() * 1e9 / amount.perSecond();
        int messages = 0;
        for (int turn = 0; messages < amount.messages() || !isOver.getAsBoolean(); turn++) {
            long atNanos = begunNanos + (long) (turn * nanosBetween);
            LockSupport.parkNanos(Math.max(0, atNanos - System.nanoTime()));
            var circle = crowd.circles().get(turn % crowd.circles().size());
            int within = turn / crowd.circles().size();
            var person = circle.people().get(within % circle.people().size());
            var room = circle.rooms().get(within % circle.rooms().size());
            var speaker = Objects.requireNonNull(speakers.get(person));
            if (messages >= amount.messages() && !speaker.hasSaidAll()) {
                continue; // no further messages are queued while the server is down
            }
            for (int i = 0; i < amount.burst(); i++) {
                int number = messages++;
                speaker.say(room, "m" + number, number % REPEATED_EVERY == 0);
            }
        }
        return messages;
    }

    /** Whether every member received a final message of each room. */
    private boolean awaitLastWords() {
        var lastWords = new HashMap<String, List<String>>();
        var members = new HashMap<String, List<Session>>();
        for (var circle : crowd.circles()) {
            for (var room : circle.rooms()) {
                members.put(room, circle.people());
                lastWords.put(room, lastWords(circle.people().getFirst(), room));
            }
        }
        return Deadline.in(amount.patience())
                .until(Duration.ofMillis(100), () -> haveAllReceivedAnyOf(lastWords, members));
    }

    private List<String> lastWords(Session speaker, String room) {
        var events = new ArrayList<String>();
        for (int i = 1; i <= LAST_WORDS; i++) {
            var eventId = sender.sendLastWords(speaker, room, "last-%d".formatted(i));
            if (eventId != null) {
                events.add(eventId);
            }
        }
        return events;
    }

    private boolean haveAllReceivedAnyOf(Map<String, List<String>> words, Map<String, List<Session>> members) {
        return words.entrySet().stream()
                .allMatch(entry -> members.getOrDefault(entry.getKey(), List.of()).stream()
                        .allMatch(person -> entry.getValue().stream()
                                .anyMatch(eventId -> recorder.hasReceived(person.userId(), eventId))));
    }
}
