// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.filter.EventFilter;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;
import rookery.room.timeline.PageReader.Page;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads the events around an event, and the room's state after the last of them (contract.md 11.1). */
@Component
public class ContextReader {
    private final PageReader pages;
    private final LargeStates states;
    private final VisibilityRows visibilities;

    ContextReader(PageReader pages, LargeStates states, VisibilityRows visibilities) {
        this.pages = pages;
        this.states = states;
        this.visibilities = visibilities;
    }

    /** The size and filter of a context, without message events of {@code ignored} users. */
    public record ContextQuery(int before, int after, TimelineFilter filter, Set<String> ignored) {}

    /**
     * An event and the events around it.
     *
     * @param before newest first
     * @param after oldest first
     * @param start position from which pages continue backwards
     * @param end position from which pages continue forwards
     */
    public record Context(StoredEvent event, List<StoredEvent> before, List<StoredEvent> after, long start, long end) {
        /** Position of the last returned event. */
        long last() {
            return after.isEmpty() ? event.pos() : after.getLast().pos();
        }

        /** All events: the event itself, then alternately the events before and after, the nearest first. */
        public List<StoredEvent> all() {
            var all = new ArrayList<StoredEvent>();
            all.add(event);
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                before.stream().skip(i).limit(1).forEach(all::add);
                after.stream().skip(i).limit(1).forEach(all::add);
            }
            return all;
        }

        /** The context with the nearest events, {@code count} in all; pages continue with the events left out. */
        public Context first(int count) {
            var nearest = all().subList(0, count).stream().map(StoredEvent::pos).collect(Collectors.toSet());
            var back = before.stream()
                    .takeWhile(one -> nearest.contains(one.pos()))
                    .toList();
            var on =
                    after.stream().takeWhile(one -> nearest.contains(one.pos())).toList();
            return new Context(
                    event,
                    back,
                    on,
                    back.size() == before.size()
                            ? start
                            : before.get(back.size()).pos(),
                    on.size() == after.size() ? end : after.get(on.size()).pos() - 1);
        }

        /** Distinct senders in the order of {@link #all}. */
        public List<String> senders() {
            return PageReader.senders(all());
        }
    }

    /** The positions of the room visible to the reader, for callers that read several contexts. */
    public Mono<VisiblePlaces> places(ReaderInRoom reading) {
        return visibilities.places(reading);
    }

    /** The context of a visible event. */
    public Mono<Context> around(ReaderInRoom reading, VisiblePlaces places, StoredEvent event, ContextQuery query) {
        var back = new PageReader.PageQuery(
                event.pos() - 1, 0, Direction.BACKWARDS, query.before, query.filter, query.ignored);
        var on = new PageReader.PageQuery(
                event.pos(), reading.head(), Direction.FORWARDS, query.after, query.filter, query.ignored);
        return page(reading, places, back)
                .zipWhen(_ -> page(reading, places, on))
                .map(both -> context(event, both.getT1(), both.getT2()));
    }

    private Mono<Page> page(ReaderInRoom reading, VisiblePlaces places, PageReader.PageQuery query) {
        return query.limit() == 0
                ? Mono.just(new Page(reading, List.of(), query.from(), query.from(), null))
                : pages.page(reading, places, query);
    }

    private static Context context(StoredEvent event, Page back, Page on) {
        long oldest =
                back.events().isEmpty() ? back.start() : back.events().getLast().pos() - 1;
        long newest = on.events().isEmpty() ? on.start() : on.events().getLast().pos();
        var start = back.end();
        var end = on.end();
        return new Context(
                event, back.events(), on.events(), start == null ? oldest : start, end == null ? newest : end);
    }

    /**
     * The room's state after the last returned event, filtered, in portions; with lazy loading, only the members
     * among the senders.
     */
    Flux<List<StoredEvent>> state(ReaderInRoom reading, Context context, EventFilter filter) {
        if (!filter.passesRoom(reading.room().room())) {
            return Flux.empty();
        }
        var all = filter.lazyLoadMembers()
                ? states.lazilyAt(reading.room(), reading.shard(), context.last(), context.senders())
                : states.at(reading.room(), reading.shard(), context.last());
        return all.map(
                events -> events.stream().filter(event -> passes(event, filter)).toList());
    }

    private static boolean passes(StoredEvent event, EventFilter filter) {
        var meta = event.event().meta();
        return filter.passes(meta.type(), meta.sender(), meta.url());
    }
}
