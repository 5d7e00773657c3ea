// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.redaction.ErasedSenders;
import rookery.room.redaction.ErasedSenders.EventsOfRoom;
import rookery.room.relation.RelationRows.Child;
import rookery.room.relation.RelationRows.Edit;
import rookery.room.relation.RelationRows.ParentEvent;
import rookery.room.relation.RelationRows.RelationPortion;
import rookery.room.relation.RelationRows.Unread;
import rookery.room.table.Relation;
import rookery.room.table.StoredEvent;

/**
 * Bundled relations of events, {@code unsigned.m.relations} (contract.md 9.7), for one reader: the newest edit, the thread with
 * its newest reply, and the newest hundred references. A page takes a few statements, regardless of the number of relations.
 */
@Component
public class Bundles {
    // if the newest relation is hidden from the reader, up to 50 candidates are tried
    private static final int CANDIDATES_MORE = 50;

    private final RelationRows rows;
    private final ErasedSenders erased;
    private final Clock clock;

    Bundles(RelationRows rows, ErasedSenders erased, Clock clock) {
        this.rows = rows;
        this.erased = erased;
        this.clock = clock;
    }

    /**
     * JSON objects by event, for events with relations that the reader may see, and for each page the number of events, from the
     * first on, whose relations were read completely; the rest would exceed the bytes of a page.
     */
    public record PageBundles(Map<EventId, String> texts, List<Integer> complete) {
        /** Characters of all texts together. */
        public long length() {
            return texts.values().stream().mapToLong(String::length).sum();
        }

        /** {@link #complete} of a single page. */
        public int completeOfOnly() {
            return complete.getFirst();
        }
    }

    private record BundleRows(RelationPortion<Child> children, RelationPortion<Edit> edits) {
        List<Child> childrenOf(int page) {
            return children.rows().stream()
                    .filter(child -> child.page() == page)
                    .toList();
        }

        List<Edit> editsOf(int page) {
            return edits.rows().stream().filter(edit -> edit.page() == page).toList();
        }

        List<StoredEvent> eventsOf(int page) {
            return Stream.concat(
                            childrenOf(page).stream().map(Child::event),
                            editsOf(page).stream().map(Edit::event))
                    .toList();
        }

        /** The number of a page's events, from the first on, whose relations were read completely. */
        int complete(int page, int events) {
            return Stream.concat(children.unread().stream(), edits.unread().stream())
                    .filter(unread -> unread.page() == page)
                    .mapToInt(Unread::number)
                    .min()
                    .orElse(events);
        }
    }

    /** State events get no bundles. */
    public Mono<PageBundles> of(Audience audience, List<StoredEvent> events) {
        return of(List.of(new Page(audience, events)));
    }

    /** The same for pages of several rooms for one reader, in the same number of statements. */
    public Mono<PageBundles> of(List<Page> pages) {
        var messages = messages(pages);
        return messages.isEmpty()
                ? Mono.just(new PageBundles(
                        Map.of(),
                        pages.stream().map(page -> page.events().size()).toList()))
                : relations(pages, messages)
                        .zipWhen(relations -> erased.among(sent(pages, relations)))
                        .map(both -> bundled(pages, both.getT1(), both.getT2()));
    }

    private static List<ParentEvent> messages(List<Page> pages) {
        var messages = new ArrayList<ParentEvent>();
        for (int page = 0; page < pages.size(); page++) {
            var events = pages.get(page).events();
            for (int number = 0; number < events.size(); number++) {
                var meta = events.get(number).event().meta();
                if (meta.stateKey() == null) {
                    messages.add(new ParentEvent(page, number, pages.get(page).audience(), meta));
                }
            }
        }
        return messages;
    }

    private static List<EventsOfRoom> sent(List<Page> pages, BundleRows relations) {
        var sent = new ArrayList<EventsOfRoom>();
        for (int i = 0; i < pages.size(); i++) {
            var audience = pages.get(i).audience();
            sent.add(new EventsOfRoom(audience.room(), audience.history(), relations.eventsOf(i)));
        }
        return sent;
    }

    private PageBundles bundled(List<Page> pages, BundleRows relations, Map<TenantRoom, Set<UserId>> hidden) {
        var texts = new HashMap<EventId, String>();
        var complete = new ArrayList<Integer>();
        for (int i = 0; i < pages.size(); i++) {
            var page = pages.get(i);
            int read = relations.complete(i, page.events().size());
            complete.add(read);
            var children = relations.childrenOf(i);
            var edits = relations.editsOf(i);
            if (!children.isEmpty() || !edits.isEmpty()) {
                var unseen = hidden.getOrDefault(page.audience().room(), Set.of());
                texts.putAll(new BundleTexts(page.audience(), children, edits, unseen, clock.millis())
                        .of(page.events().subList(0, read)));
            }
        }
        return new PageBundles(texts, complete);
    }

    private Mono<BundleRows> relations(List<Page> pages, List<ParentEvent> messages) {
        return children(pages, messages)
                .zipWhen(children -> edits(pages, editable(pages, messages, children.rows())))
                .map(both -> new BundleRows(both.getT1(), both.getT2()));
    }

    private Mono<RelationPortion<Child>> children(List<Page> pages, List<ParentEvent> messages) {
        return rows.children(messages, 1)
                .flatMap(portion -> hasHiddenReply(pages, portion.rows())
                        ? rows.children(messages, CANDIDATES_MORE)
                        : Mono.just(portion));
    }

    private static boolean hasHiddenReply(List<Page> pages, List<Child> children) {
        return children.stream()
                .anyMatch(child ->
                        child.isReply() && !pages.get(child.page()).audience().sees(child.event()));
    }

    private Mono<RelationPortion<Edit>> edits(List<Page> pages, List<ParentEvent> editable) {
        return rows.edits(editable, 1)
                .flatMap(portion -> hasHiddenEdit(pages, portion.rows())
                        ? rows.edits(editable, CANDIDATES_MORE)
                        : Mono.just(portion));
    }

    private static boolean hasHiddenEdit(List<Page> pages, List<Edit> edits) {
        return edits.stream()
                .anyMatch(edit -> !pages.get(edit.page()).audience().sees(edit.event()));
    }

    /**
     * The events and the newest replies of their threads, since replies are shown edited, too. A reply keeps the page and the
     * number of the thread's root.
     */
    private static List<ParentEvent> editable(List<Page> pages, List<ParentEvent> messages, List<Child> children) {
        var editable = new ArrayList<ParentEvent>();
        messages.stream()
                .filter(message -> isEditable(pages.get(message.page()).events().get(message.number())))
                .forEach(editable::add);
        children.stream()
                .filter(child -> child.isReply() && isEditable(child.event()))
                .forEach(child -> editable.add(new ParentEvent(
                        child.page(),
                        child.number(),
                        pages.get(child.page()).audience(),
                        child.event().event().meta())));
        return editable;
    }

    /** A redacted event has no edits, and neither has an edit. */
    private static boolean isEditable(StoredEvent event) {
        return event.event().redactedBecauseJson() == null && !Relation.REPLACE.equals(Relation.type(event));
    }
}
