package rookery.room.relation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.room.redaction.ErasedSenders;
import rookery.room.relation.RelationRows.Child;
import rookery.room.relation.RelationRows.Edit;
import rookery.room.roomlog.StoredEvent;

/**
 * What is bundled with events in {@code unsigned.m.relations} (CONTRACT.md 9.7), for one reader: the newest edit, the thread with
 * its newest reply, and references, of which the newest hundred. A few statements a page, however much there is.
 */
@Component
public class Bundles {
    // should the newest one be hidden from the reader, older ones are looked at, but not for ever
    private static final int CANDIDATES_MORE = 50;

    private final RelationRows rows;
    private final ErasedSenders erased;
    private final Clock clock;

    Bundles(RelationRows rows, ErasedSenders erased, Clock clock) {
        this.rows = rows;
        this.erased = erased;
        this.clock = clock;
    }

    private record Found(List<Child> children, List<Edit> edits) {
        List<StoredEvent> events() {
            var events = new ArrayList<StoredEvent>();
            children.forEach(child -> events.add(child.event()));
            edits.forEach(edit -> events.add(edit.event()));
            return events;
        }
    }

    /** JSON objects, of those of the events that anything relates to which the reader may see. State has none. */
    public Mono<Map<EventId, String>> of(Audience audience, List<StoredEvent> events) {
        var messages = events.stream()
                .filter(event -> event.event().meta().stateKey() == null)
                .toList();
        if (messages.isEmpty()) {
            return Mono.just(Map.of());
        }
        return found(audience, messages)
                .zipWhen(found -> erased.of(audience.room(), audience.history(), found.events()))
                .map(both -> new BundleTexts(
                                audience, both.getT1().children, both.getT1().edits, both.getT2(), clock.millis())
                        .of(messages));
    }

    private Mono<Found> found(Audience audience, List<StoredEvent> messages) {
        return children(audience, messages)
                .zipWhen(children -> edits(audience, editable(messages, children)))
                .map(both -> new Found(both.getT1(), both.getT2()));
    }

    private Mono<List<Child>> children(Audience audience, List<StoredEvent> events) {
        return rows.children(audience, events, 1)
                .flatMap(found -> hasHiddenReply(audience, found)
                        ? rows.children(audience, events, CANDIDATES_MORE)
                        : Mono.just(found));
    }

    private static boolean hasHiddenReply(Audience audience, List<Child> children) {
        return children.stream().anyMatch(child -> child.isReply() && !audience.sees(child.event()));
    }

    private Mono<List<Edit>> edits(Audience audience, List<StoredEvent> events) {
        return rows.edits(audience, events, 1)
                .flatMap(found -> hasHiddenEdit(audience, found)
                        ? rows.edits(audience, events, CANDIDATES_MORE)
                        : Mono.just(found));
    }

    private static boolean hasHiddenEdit(Audience audience, List<Edit> edits) {
        return edits.stream().anyMatch(edit -> !audience.sees(edit.event()));
    }

    /** The events themselves and the newest replies of their threads, which are shown edited, too. */
    private static List<StoredEvent> editable(List<StoredEvent> events, List<Child> children) {
        var editable = new ArrayList<>(events);
        children.stream().filter(Child::isReply).map(Child::event).forEach(editable::add);
        editable.removeIf(event -> event.event().redactedBecauseJson() != null);
        return editable;
    }
}
