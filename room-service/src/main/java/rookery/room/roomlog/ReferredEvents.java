package rookery.room.roomlog;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.Candidate;
import rookery.room.table.Annotations.Annotation;
import rookery.room.table.Relation;

/** The events that drafts of a batch relate to or redact: those that were there before it, and those it appends itself. */
final class ReferredEvents {
    private final Map<Ref, Fact> facts = new HashMap<>();
    private final Map<Annotation, EventId> annotations;

    ReferredEvents(Collection<Fact> found, Map<Annotation, EventId> annotations) {
        found.forEach(this::add);
        this.annotations = new HashMap<>(annotations);
    }

    /** An event by the room it should be in. */
    record Ref(TenantRoom room, EventId id) {}

    /**
     * What a verdict needs of an event that another one refers to.
     *
     * @param relType what kind of relation it has to an event itself, or null
     * @param thread the root of the thread that it is in, or null
     * @param redacted whether it was redacted before
     */
    record Fact(
            Ref ref,
            long pos,
            String type,
            UserId sender,
            @Nullable String stateKey,
            @Nullable String relType,
            @Nullable EventId thread,
            boolean redacted) {
        Fact asRedacted() {
            return new Fact(ref, pos, type, sender, stateKey, relType, thread, true);
        }
    }

    /** Null if the room has no such event. */
    @Nullable
    Fact find(TenantRoom room, EventId id) {
        return facts.get(new Ref(room, id));
    }

    void add(Fact fact) {
        facts.put(fact.ref, fact);
    }

    /** An event of this batch says so from now on. */
    void annotate(Annotation annotation, EventId by) {
        annotations.put(annotation, by);
    }

    /** A redacted event annotates nothing any more. */
    void redact(Fact target) {
        add(target.asRedacted());
        annotations.values().removeIf(target.ref.id::equals);
    }

    /** M_UNKNOWN for a thread on an event that relates to another one, M_DUPLICATE_ANNOTATION (contract.md 9.7). */
    void requireRelation(TenantRoom room, Candidate candidate) {
        var relation = candidate.stateKey() == null ? Relation.of(candidate.content()) : null;
        var parent = relation == null ? null : find(room, relation.parent());
        if (relation == null || parent == null) {
            return;
        }
        if (relation.type().equals(Relation.THREAD) && parent.relType != null) {
            throw new ApiException(ErrorCode.M_UNKNOWN, "no thread begins at an event that relates to another one")
                    .withStatus(400);
        }
        var annotation = Annotation.of(room, candidate);
        if (annotation != null && annotations.containsKey(annotation)) {
            throw new ApiException(ErrorCode.M_DUPLICATE_ANNOTATION, "you have annotated the event so before");
        }
    }

    /** The thread that a new event with this relation is in: its parent's, or the one that it opens on its parent. */
    static @Nullable EventId thread(Relation relation, Fact parent) {
        boolean opens = relation.type().equals(Relation.THREAD) && parent.relType == null;
        return opens ? parent.ref.id : parent.thread;
    }
}
