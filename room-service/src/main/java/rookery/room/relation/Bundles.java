package rookery.room.relation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.redaction.ErasedSenders;
import rookery.room.redaction.ErasedSenders.EventsOfRoom;
import rookery.room.relation.RelationRows.Child;
import rookery.room.relation.RelationRows.Edit;
import rookery.room.table.StoredEvent;

/**
 * What is bundled with events in {@code unsigned.m.relations} (contract.md 9.7), for one reader: the newest edit, the thread with
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

    private record BundleRows(List<Child> children, List<Edit> edits) {
        /** What was found for the events of one page. */
        BundleRows of(int page) {
            return new BundleRows(
                    children.stream().filter(child -> child.page() == page).toList(),
                    edits.stream().filter(edit -> edit.page() == page).toList());
        }

        List<StoredEvent> events() {
            var events = new ArrayList<StoredEvent>();
            children.forEach(child -> events.add(child.event()));
            edits.forEach(edit -> events.add(edit.event()));
            return events;
        }
    }

    /** JSON objects, of those of the events that anything relates to which the reader may see. State has none. */
    public Mono<Map<EventId, String>> of(Audience audience, List<StoredEvent> events) {
        return of(List.of(new Page(audience, events)));
    }

    /** The same for pages of many rooms that one reader gets together, in as many statements as for one. */
    public Mono<Map<EventId, String>> of(List<Page> pages) {
        var messages = pages.stream()
                .map(page -> new Page(page.audience(), messages(page)))
                .filter(page -> !page.events().isEmpty())
                .toList();
        return messages.isEmpty()
                ? Mono.just(Map.of())
                : found(messages)
                        .zipWhen(found -> erased.among(sent(messages, found)))
                        .map(both -> texts(messages, both.getT1(), both.getT2()));
    }

    private static List<StoredEvent> messages(Page page) {
        return page.events().stream()
                .filter(event -> event.event().meta().stateKey() == null)
                .toList();
    }

    private static List<EventsOfRoom> sent(List<Page> pages, BundleRows found) {
        var sent = new ArrayList<EventsOfRoom>();
        for (int i = 0; i < pages.size(); i++) {
            var audience = pages.get(i).audience();
            sent.add(new EventsOfRoom(
                    audience.room(), audience.history(), found.of(i).events()));
        }
        return sent;
    }

    private Map<EventId, String> texts(List<Page> pages, BundleRows found, Map<TenantRoom, Set<UserId>> hidden) {
        var texts = new HashMap<EventId, String>();
        for (int i = 0; i < pages.size(); i++) {
            var page = pages.get(i);
            var mine = found.of(i);
            if (!mine.children.isEmpty() || !mine.edits.isEmpty()) {
                var unseen = hidden.getOrDefault(page.audience().room(), Set.of());
                texts.putAll(new BundleTexts(page.audience(), mine.children, mine.edits, unseen, clock.millis())
                        .of(page.events()));
            }
        }
        return texts;
    }

    private Mono<BundleRows> found(List<Page> pages) {
        return children(pages)
                .zipWhen(children -> edits(editable(pages, children)))
                .map(both -> new BundleRows(both.getT1(), both.getT2()));
    }

    private Mono<List<Child>> children(List<Page> pages) {
        return rows.children(pages, 1)
                .flatMap(found ->
                        hasHiddenReply(pages, found) ? rows.children(pages, CANDIDATES_MORE) : Mono.just(found));
    }

    private static boolean hasHiddenReply(List<Page> pages, List<Child> children) {
        return children.stream()
                .anyMatch(child ->
                        child.isReply() && !pages.get(child.page()).audience().sees(child.event()));
    }

    private Mono<List<Edit>> edits(List<Page> pages) {
        return rows.edits(pages, 1)
                .flatMap(found -> hasHiddenEdit(pages, found) ? rows.edits(pages, CANDIDATES_MORE) : Mono.just(found));
    }

    private static boolean hasHiddenEdit(List<Page> pages, List<Edit> edits) {
        return edits.stream()
                .anyMatch(edit -> !pages.get(edit.page()).audience().sees(edit.event()));
    }

    /** The events themselves and the newest replies of their threads, which are shown edited, too; each page where it was. */
    private static List<Page> editable(List<Page> pages, List<Child> children) {
        var editable = new ArrayList<Page>();
        pages.forEach(page -> editable.add(new Page(page.audience(), new ArrayList<>(page.events()))));
        children.stream()
                .filter(Child::isReply)
                .forEach(child -> editable.get(child.page()).events().add(child.event()));
        editable.forEach(page -> page.events().removeIf(event -> event.event().redactedBecauseJson() != null));
        return editable;
    }
}
