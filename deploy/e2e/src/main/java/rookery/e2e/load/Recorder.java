// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import rookery.e2e.checking.History;
import rookery.e2e.checking.ReceivedEvent;
import rookery.e2e.checking.SentMessage;

/** The common record of all clients of a run. */
final class Recorder {
    private final Queue<SentMessage> sent = new ConcurrentLinkedQueue<>();
    private final Queue<ReceivedEvent> received = new ConcurrentLinkedQueue<>();
    private final Map<String, Set<String>> eventsByClient = new ConcurrentHashMap<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();

    void sent(SentMessage message) {
        sent.add(message);
    }

    /** Records the events of a sync response. */
    void received(List<ReceivedEvent> events) {
        received.addAll(events);
        for (var event : events) {
            eventsByClient
                    .computeIfAbsent(event.client(), _ -> ConcurrentHashMap.newKeySet())
                    .add(event.eventId());
        }
    }

    /** Records a failure that kills do not excuse, such as a 401 for a valid token. */
    void trouble(String description) {
        troubles.add(description);
    }

    boolean hasReceived(String client, String eventId) {
        return eventsByClient.getOrDefault(client, Set.of()).contains(eventId);
    }

    List<String> troubles() {
        return List.copyOf(troubles);
    }

    int deliveries() {
        return received.size();
    }

    List<SentMessage> allSent() {
        return List.copyOf(sent);
    }

    /** The history so far; the order of the database is added as a further member's record. */
    History history(Crowd crowd, Map<String, List<String>> eventsOfRooms) {
        var members = new HashMap<String, Set<String>>();
        for (var circle : crowd.circles()) {
            for (var room : circle.rooms()) {
                var names = new HashSet<String>();
                circle.people().forEach(person -> names.add(person.userId()));
                members.put(room, names);
            }
        }
        var all = new ArrayList<>(received);
        eventsOfRooms.forEach((room, events) -> {
            members.computeIfAbsent(room, _ -> new HashSet<>()).add(EventTable.READER);
            events.forEach(event -> all.add(new ReceivedEvent(EventTable.READER, room, event, null, 0)));
        });
        return new History(members, allSent(), all);
    }
}
