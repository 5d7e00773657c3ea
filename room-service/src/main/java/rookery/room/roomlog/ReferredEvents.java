// SPDX-License-Identifier: Apache-2.0
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

/** The events that the drafts of a batch relate to or redact, from earlier batches and from this batch. */
final class ReferredEvents {
    private final Map<Ref, Fact> facts = new HashMap<>();
    private final Map<Annotation, EventId> annotations;

    ReferredEvents(Collection<Fact> earlier, Map<Annotation, EventId> annotations) {
        earlier.forEach(this::add);
        this.annotations = new HashMap<>(annotations);
    }

    record Ref(TenantRoom room, EventId id) {}

    /**
     * The facts of a referenced event that a verdict needs.
     *
     * @param relType the event's own relation type, or null
     * @param thread the root of the event's thread, or null
     * @param redacted whether the event is redacted
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

    /** Null for an event that the room does not have. */
    @Nullable
    Fact find(TenantRoom room, EventId id) {
        return facts.get(new Ref(room, id));
    }

    void add(Fact fact) {
        facts.put(fact.ref, fact);
    }

    void annotate(Annotation annotation, EventId by) {
        annotations.put(annotation, by);
    }

    /** Marks an event as redacted, and drops its annotation. */
    void redact(Fact target) {
        add(target.asRedacted());
        annotations.values().removeIf(target.ref.id::equals);
    }

    /** M_UNKNOWN for a thread on an event with a relation, M_DUPLICATE_ANNOTATION (contract.md 9.7). */
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
            throw new ApiException(ErrorCode.M_DUPLICATE_ANNOTATION, "you have sent this annotation before");
        }
    }

    /**
     * The root of a new event's thread: the parent, for an m.thread relation to an event without relation; otherwise the
     * root of the parent's thread, or null.
     */
    static @Nullable EventId thread(Relation relation, Fact parent) {
        boolean opens = relation.type().equals(Relation.THREAD) && parent.relType == null;
        return opens ? parent.ref.id : parent.thread;
    }
}
