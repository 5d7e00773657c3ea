// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.platform.event.EventText;
import rookery.room.redaction.ErasedSenders;
import rookery.room.relation.RelationRows.Child;
import rookery.room.relation.RelationRows.Edit;
import rookery.room.table.Relation;
import rookery.room.table.StoredEvent;

/** Renders the JSON bundled with events from the relations read for a page. Pure. */
final class BundleTexts {
    private static final Comparator<StoredEvent> BY_TIME = Comparator.comparingLong(
                    (StoredEvent event) -> event.event().meta().ts())
            .thenComparing(event -> event.event().meta().eventId().value());

    private final Audience audience;
    private final Set<UserId> hidden;
    private final long nowMillis;
    private final Map<EventId, Child> threads = new HashMap<>();
    private final Map<EventId, List<EventId>> references = new HashMap<>();
    private final Map<EventId, StoredEvent> edits = new HashMap<>();

    /**
     * Keeps the visible relations; {@code children} are oldest first. Edits of {@code hidden} senders are left out, and their
     * replies are stripped.
     */
    BundleTexts(Audience audience, List<Child> children, List<Edit> edits, Set<UserId> hidden, long nowMillis) {
        this.audience = audience;
        this.hidden = hidden;
        this.nowMillis = nowMillis;
        children.stream().filter(child -> audience.sees(child.event())).forEach(this::take);
        edits.stream().filter(edit -> audience.sees(edit.event())).forEach(this::take);
    }

    private void take(Child child) {
        if (child.isReply()) {
            threads.put(child.parent(), child); // the newest reply replaces older ones
        } else {
            references
                    .computeIfAbsent(child.parent(), _ -> new ArrayList<>())
                    .add(child.event().event().meta().eventId());
        }
    }

    private void take(Edit edit) {
        if (!hidden.contains(edit.event().event().meta().sender())) {
            edits.merge(edit.parent(), edit.event(), (a, b) -> BY_TIME.compare(a, b) < 0 ? b : a);
        }
    }

    Map<EventId, String> of(List<StoredEvent> events) {
        var texts = new HashMap<EventId, String>();
        for (var event : events) {
            var id = event.event().meta().eventId();
            var parts = new ArrayList<String>();
            add(parts, Relation.REPLACE, edits.get(id), edit -> shown(edit, null));
            add(parts, Relation.THREAD, threads.get(id), reply -> thread(event, reply));
            add(parts, Relation.REFERENCE, references.get(id), BundleTexts::chunk);
            if (!parts.isEmpty()) {
                texts.put(id, "{" + String.join(",", parts) + "}");
            }
        }
        return texts;
    }

    private static <T> void add(List<String> parts, String relType, @Nullable T value, Function<T, String> text) {
        if (value != null) {
            parts.add("\"" + relType + "\":" + text.apply(value));
        }
    }

    private String thread(StoredEvent root, Child latest) {
        var edit = edits.get(latest.event().event().meta().eventId());
        String relations = edit == null ? null : "{\"" + Relation.REPLACE + "\":" + shown(edit, null) + "}";
        boolean participated = latest.mine() || root.event().meta().sender().equals(audience.user());
        return "{\"latest_event\":" + shown(ErasedSenders.shown(latest.event(), hidden), relations) + ",\"count\":"
                + latest.replies() + ",\"current_user_participated\":" + participated + "}";
    }

    private static String chunk(List<EventId> references) {
        var chunk = new StringBuilder("{\"chunk\":[");
        for (var id : references) {
            chunk.append(chunk.charAt(chunk.length() - 1) == '[' ? "" : ",");
            // ids are made by the server and need no escaping
            chunk.append("{\"event_id\":\"").append(id.value()).append("\"}");
        }
        return chunk.append("]}").toString();
    }

    private String shown(StoredEvent event, @Nullable String relations) {
        var reader = new EventText.Reader(
                audience.user(), audience.device(), audience.history().at(event.pos()), false);
        var room = audience.namesRoom() ? audience.room().room() : null;
        return EventText.render(event.event(), room, reader, relations, nowMillis);
    }
}
