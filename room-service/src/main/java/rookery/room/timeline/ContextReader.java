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

/** Reads what happened around an event, and the state of its room then (contract.md 11.1). */
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

    /**
     * How much of what is around an event somebody wants.
     *
     * @param ignored ids of users whose message events the reader wants to see nothing of
     */
    public record ContextQuery(int before, int after, TimelineFilter filter, Set<String> ignored) {}

    /**
     * An event and what is around it.
     *
     * @param before newest first
     * @param after oldest first
     * @param start the place from which pages lead back
     * @param end the place from which pages lead on
     */
    public record Context(StoredEvent event, List<StoredEvent> before, List<StoredEvent> after, long start, long end) {
        /** Where the last event that is returned stands. */
        long last() {
            return after.isEmpty() ? event.pos() : after.getLast().pos();
        }

        /** All events: the one itself, and by turns what is before and after it, the nearest first. */
        public List<StoredEvent> all() {
            var all = new ArrayList<StoredEvent>();
            all.add(event);
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                before.stream().skip(i).limit(1).forEach(all::add);
                after.stream().skip(i).limit(1).forEach(all::add);
            }
            return all;
        }

        /** The same with only so many of all events, the nearest; pages lead from there to those that are left out. */
        public Context first(int count) {
            var kept = all().subList(0, count).stream().map(StoredEvent::pos).collect(Collectors.toSet());
            var back =
                    before.stream().takeWhile(one -> kept.contains(one.pos())).toList();
            var on = after.stream().takeWhile(one -> kept.contains(one.pos())).toList();
            return new Context(
                    event,
                    back,
                    on,
                    back.size() == before.size()
                            ? start
                            : before.get(back.size()).pos(),
                    on.size() == after.size() ? end : after.get(on.size()).pos() - 1);
        }

        /** Ids of those who sent any of the events, in their order. */
        public List<String> senders() {
            return PageReader.senders(all());
        }
    }

    /** Where the reader may look in the room, for whoever asks for several contexts in it. */
    public Mono<VisiblePlaces> places(ReaderInRoom reading) {
        return visibilities.places(reading);
    }

    /** What is around an event that the reader may see. */
    public Mono<Context> around(ReaderInRoom reading, VisiblePlaces places, StoredEvent event, ContextQuery wanted) {
        var back = new PageReader.PageQuery(
                event.pos() - 1, 0, Direction.BACKWARDS, wanted.before, wanted.filter, wanted.ignored);
        var on = new PageReader.PageQuery(
                event.pos(), reading.head(), Direction.FORWARDS, wanted.after, wanted.filter, wanted.ignored);
        return page(reading, places, back)
                .zipWhen(_ -> page(reading, places, on))
                .map(both -> context(event, both.getT1(), both.getT2()));
    }

    private Mono<Page> page(ReaderInRoom reading, VisiblePlaces places, PageReader.PageQuery wanted) {
        return wanted.limit() == 0
                ? Mono.just(new Page(reading, List.of(), wanted.from(), wanted.from(), null))
                : pages.page(reading, places, wanted);
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

    /** The room's state after the last event that is returned, filtered, in portions; with lazy loading only the members who speak. */
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
