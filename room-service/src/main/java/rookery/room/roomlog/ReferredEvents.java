package rookery.room.roomlog;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;

/** The events that drafts of a batch relate to or redact: those that were there before it, and those it appends itself. */
final class ReferredEvents {
    private final Map<Ref, Fact> facts = new HashMap<>();

    ReferredEvents(Collection<Fact> found) {
        found.forEach(this::add);
    }

    /** An event by the room it should be in. */
    record Ref(RoomKey room, EventId id) {}

    /**
     * What a verdict needs of an event that another one refers to.
     *
     * @param relType what kind of relation it has to an event itself, or null
     * @param thread the root of the thread that it is in, or null
     */
    record Fact(
            Ref ref,
            long pos,
            String type,
            UserId sender,
            @Nullable String stateKey,
            @Nullable String relType,
            @Nullable EventId thread,
            boolean redacted) {}

    /** Null if the room has no such event. */
    @Nullable
    Fact find(RoomKey room, EventId id) {
        return facts.get(new Ref(room, id));
    }

    void add(Fact fact) {
        facts.put(fact.ref, fact);
    }

    /** The thread that a new event with this relation is in: its parent's, or the one that it opens on its parent. */
    static @Nullable EventId thread(Relation relation, Fact parent) {
        boolean opens = relation.type().equals(Relation.THREAD) && parent.relType == null;
        return opens ? parent.ref.id : parent.thread;
    }
}
