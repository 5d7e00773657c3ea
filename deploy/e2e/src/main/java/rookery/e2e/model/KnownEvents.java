// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The rooms and events of a conversation that its users refer to. */
final class KnownEvents {
    /**
     * An accepted event.
     *
     * @param redactable whether the event contains a word that a redaction removes
     * @param thread the root of its thread, or empty
     */
    record KnownEvent(String room, String eventId, boolean redactable, String thread) {}

    private final List<String> rooms = new ArrayList<>();
    private final List<KnownEvent> events = new ArrayList<>();

    synchronized void addRoom(String room) {
        rooms.add(room);
    }

    synchronized void add(KnownEvent event) {
        events.add(event);
    }

    synchronized List<String> rooms() {
        return List.copyOf(rooms);
    }

    /** A random room; null without rooms. */
    synchronized @Nullable String room(RandomGenerator random) {
        return rooms.isEmpty() ? null : rooms.get(random.nextInt(rooms.size()));
    }

    /** A random event of the room; null without events. */
    synchronized @Nullable KnownEvent event(String room, RandomGenerator random, boolean redactable) {
        var candidates = events.stream()
                .filter(event -> event.room().equals(room) && (event.redactable() || !redactable))
                .toList();
        return candidates.isEmpty() ? null : candidates.get(random.nextInt(candidates.size()));
    }
}
