package rookery.e2e.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the people of one conversation know of each other: rooms and events to talk about. */
final class KnownEvents {
    /**
     * An event that was accepted.
     *
     * @param redactable whether it carries a word that may be taken away
     * @param thread the root of its thread; empty for none
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

    /** Null while there is none. */
    synchronized @Nullable String room(RandomGenerator random) {
        return rooms.isEmpty() ? null : rooms.get(random.nextInt(rooms.size()));
    }

    /** One of the newer events of the room; null while there is none. */
    synchronized @Nullable KnownEvent event(String room, RandomGenerator random, boolean redactable) {
        var candidates = events.stream()
                .filter(event -> event.room().equals(room) && (event.redactable() || !redactable))
                .toList();
        return candidates.isEmpty() ? null : candidates.get(random.nextInt(candidates.size()));
    }
}
