// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.e2e.checking.Violation.Disagreeing;
import rookery.e2e.checking.Violation.Doubled;
import rookery.e2e.checking.Violation.Foreign;
import rookery.e2e.checking.Violation.Late;
import rookery.e2e.checking.Violation.Lost;
import rookery.e2e.checking.Violation.Multiplied;
import rookery.e2e.checking.Violation.Reordered;

/** Checks a history against promises 1, 3 and 4 of design.md 10, and for the forbidden faults G3 and G5. */
public final class Checker {
    private final History history;
    private final @Nullable Duration patience;
    private final Map<String, Map<String, List<ReceivedEvent>>> byRoomAndClient;
    private final List<Violation> violations = new ArrayList<>();

    private Checker(History history, @Nullable Duration patience) {
        this.history = history;
        this.patience = patience;
        this.byRoomAndClient = history.received().stream()
                .collect(Collectors.groupingBy(
                        ReceivedEvent::room,
                        LinkedHashMap::new,
                        Collectors.groupingBy(ReceivedEvent::client, LinkedHashMap::new, Collectors.toList())));
    }

    /**
     * All violations in the history; empty when all promises are kept.
     *
     * @param patience the longest delay of an accepted message; null when processes were killed
     */
    public static List<Violation> violations(History history, @Nullable Duration patience) {
        var checker = new Checker(history, patience);
        checker.checkAnswers();
        checker.checkMessages();
        history.members().forEach(checker::checkRoom);
        return checker.violations;
    }

    private void checkAnswers() {
        for (var sent : history.sent()) {
            if (sent.eventIds().size() > 1) {
                violations.add(new Disagreeing(sent.client(), sent.txnId(), sent.eventIds()));
            }
        }
    }

    /** Each message is a single event for all receivers and in all replies to its sender. */
    private void checkMessages() {
        var eventsByTag = new HashMap<String, Set<String>>();
        var roomByTag = new HashMap<String, String>();
        for (var events : history.received()) {
            if (events.tag() != null) {
                eventsByTag.computeIfAbsent(events.tag(), _ -> new TreeSet<>()).add(events.eventId());
                roomByTag.put(events.tag(), events.room());
            }
        }
        eventsByTag.forEach((tag, events) -> {
            if (events.size() > 1) {
                violations.add(new Multiplied(Objects.requireNonNull(roomByTag.get(tag)), tag, List.copyOf(events)));
            }
        });
    }

    private void checkRoom(String room, Set<String> members) {
        var byClient = byRoomAndClient.getOrDefault(room, Map.of());
        byClient.forEach((client, events) -> {
            if (!members.contains(client)) {
                violations.add(new Foreign(client, room, events.getFirst().eventId()));
            }
        });
        var expected = expected(room, byClient);
        for (var client : members) {
            var events = byClient.getOrDefault(client, List.of());
            checkComplete(room, client, events, expected);
            checkOnce(room, client, events);
            checkInTime(room, client, events);
        }
        checkOrder(room, byClient);
    }

    /** The events that every member must receive: accepted messages, and messages received by any member. */
    private Set<String> expected(String room, Map<String, List<ReceivedEvent>> byClient) {
        var expected = new LinkedHashSet<String>();
        for (var sent : history.sent()) {
            if (sent.room().equals(room)) {
                expected.addAll(sent.eventIds());
            }
        }
        byClient.values()
                .forEach(all -> all.forEach(events -> {
                    if (events.tag() != null) {
                        expected.add(events.eventId());
                    }
                }));
        return expected;
    }

    private void checkComplete(String room, String client, List<ReceivedEvent> events, Set<String> expected) {
        var missing = new LinkedHashSet<>(expected);
        events.forEach(one -> missing.remove(one.eventId()));
        missing.forEach(eventId -> violations.add(new Lost(client, room, eventId)));
    }

    private void checkOnce(String room, String client, List<ReceivedEvent> events) {
        var times = events.stream()
                .collect(Collectors.groupingBy(ReceivedEvent::eventId, LinkedHashMap::new, Collectors.counting()));
        times.forEach((eventId, count) -> {
            if (count > 1) {
                violations.add(new Doubled(client, room, eventId, count));
            }
        });
    }

    private void checkInTime(String room, String client, List<ReceivedEvent> events) {
        if (patience == null) {
            return;
        }
        var firstReceived = new HashMap<String, Long>();
        events.forEach(one -> firstReceived.putIfAbsent(one.eventId(), one.atNanos()));
        for (var sent : history.sent()) {
            if (sent.room().equals(room) && sent.isAcknowledged()) {
                var eventId = sent.eventIds().getFirst();
                var at = firstReceived.get(eventId);
                if (at != null && at - sent.acknowledgedAtNanos() > patience.toNanos()) {
                    violations.add(new Late(client, room, eventId, Duration.ofNanos(at - sent.acknowledgedAtNanos())));
                }
            }
        }
    }

    /** Compares the order of each client with the client that received most, over their common events. */
    private void checkOrder(String room, Map<String, List<ReceivedEvent>> byClient) {
        var reference = byClient.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().size()));
        if (reference.isEmpty()) {
            return;
        }
        var places = new HashMap<String, Integer>();
        reference.get().getValue().forEach(events -> places.putIfAbsent(events.eventId(), places.size()));
        byClient.forEach((client, events) -> compare(room, reference.get().getKey(), places, client, events));
    }

    private void compare(
            String room, String reference, Map<String, Integer> places, String client, List<ReceivedEvent> events) {
        ReceivedEvent before = null;
        int placeBefore = -1;
        var compared = new HashSet<String>();
        for (var one : events) {
            var place = places.get(one.eventId());
            if (place == null || !compared.add(one.eventId())) {
                continue;
            }
            if (before != null && place < placeBefore) {
                violations.add(new Reordered(room, reference, client, one.eventId(), before.eventId()));
                return; // later violations follow from the first
            }
            before = one;
            placeBefore = place;
        }
    }
}
