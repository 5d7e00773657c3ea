package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.filter.EventFilter;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads a page of what one reader may see; pages that follow each other neither overlap nor leave holes. */
@Component
class PageReader {
    private static final int SCAN_MAX = 1_000;
    private static final int STRETCH = 200;
    private static final int ROUNDS_MAX = 20;

    private final TimelineRows timeline;
    private final StateRows states;
    private final VisibilityRows visibilities;

    PageReader(TimelineRows timeline, StateRows states, VisibilityRows visibilities) {
        this.timeline = timeline;
        this.states = states;
        this.visibilities = visibilities;
    }

    enum Direction {
        BACKWARDS,
        FORWARDS
    }

    /**
     * From one place between two events towards another one, which is not passed.
     *
     * @param ignored ids of users whose message events the reader wants to see nothing of
     */
    record PageQuery(long from, long to, Direction direction, int limit, EventFilter filter, Set<String> ignored) {}

    /**
     * A page.
     *
     * @param end where the next page begins, or null if nothing further exists for this reader
     * @param members with lazy loading: the member events of the senders, as of the page; else null
     */
    record Page(
            ReaderInRoom reading,
            List<StoredEvent> events,
            long start,
            @Nullable Long end,
            @Nullable List<StoredEvent> members) {}

    Mono<Page> page(ReaderInRoom reading, PageQuery wanted) {
        return visibilities
                .places(reading)
                .flatMap(places -> page(reading, places, wanted))
                .flatMap(page -> wanted.filter.lazyLoadMembers() ? withMembers(page) : Mono.just(page));
    }

    /** The same without members, for whoever reads several pages of a room and knows where the reader may look. */
    Mono<Page> page(ReaderInRoom reading, VisiblePlaces places, PageQuery wanted) {
        return scan(new Scan(reading, places, wanted));
    }

    private Mono<Page> scan(Scan scan) {
        if (!scan.enter()) {
            return Mono.just(scan.page());
        }
        return stretch(scan).flatMap(events -> {
            scan.take(events);
            return scan(scan);
        });
    }

    private Mono<List<StoredEvent>> stretch(Scan scan) {
        var room = scan.reading.room();
        return switch (scan.wanted.direction) {
            case BACKWARDS -> timeline.backwards(room, scan.place, scan.bound, scan.next());
            case FORWARDS -> timeline.forwards(room, scan.place, scan.bound, scan.next());
        };
    }

    private Mono<Page> withMembers(Page page) {
        if (page.events.isEmpty()) {
            return Mono.just(page);
        }
        var senders = page.events.stream()
                .map(event -> event.event().meta().sender().value())
                .distinct()
                .toArray(String[]::new);
        long newest =
                Math.max(page.events.getFirst().pos(), page.events.getLast().pos());
        return states.membersAt(page.reading.room(), page.reading.shard(), newest, senders)
                .collectList()
                .map(members -> new Page(page.reading, page.events, page.start, page.end, members));
    }

    /** How far the scan is: what nobody may see is leapt over, and single events that are hidden or filtered out are passed over. */
    private static final class Scan {
        private final ReaderInRoom reading;
        private final VisiblePlaces places;
        private final PageQuery wanted;
        private final List<StoredEvent> found = new ArrayList<>();
        private long place;
        /** Where the stretch ends in which the scan is. */
        private long bound;

        private int scanned;
        private int rounds;
        private int asked;
        private boolean exhausted;
        private boolean more;

        Scan(ReaderInRoom reading, VisiblePlaces places, PageQuery wanted) {
            this.reading = reading;
            this.places = wanted.filter.passesRoom(reading.room().room()) ? places : VisiblePlaces.NONE;
            this.wanted = wanted;
            this.place = wanted.from;
        }

        /** Goes on to the next place where something may be seen; false when the page is done. */
        boolean enter() {
            if (more) {
                return false;
            }
            boolean isBackwards = wanted.direction == Direction.BACKWARDS;
            var stretch = isBackwards ? places.atOrBelow(place) : places.atOrAbove(place + 1);
            if (stretch == null || (isBackwards ? stretch.last() <= wanted.to : stretch.first() > wanted.to)) {
                exhausted = true;
                return false;
            }
            place = isBackwards ? stretch.last() : stretch.first() - 1;
            bound = isBackwards ? Math.max(stretch.first() - 1, wanted.to) : Math.min(stretch.last(), wanted.to);
            return scanned < SCAN_MAX && rounds++ < ROUNDS_MAX;
        }

        int next() {
            // one more than is missing tells whether anything follows; where much is hidden, longer stretches
            asked = scanned == 0 ? wanted.limit + 1 : Math.min(STRETCH, SCAN_MAX - scanned);
            return asked;
        }

        void take(List<StoredEvent> events) {
            for (var event : events) {
                boolean passes = reading.sees(event) && isWanted(event);
                if (passes && found.size() == wanted.limit) {
                    more = true;
                    return; // it belongs to the next page, which begins here
                }
                if (passes) {
                    found.add(event);
                }
                place = wanted.direction == Direction.BACKWARDS ? event.pos() - 1 : event.pos();
                scanned++;
            }
            if (events.size() < asked) {
                place = bound;
            }
        }

        private boolean isWanted(StoredEvent event) {
            var meta = event.event().meta();
            return !(meta.stateKey() == null
                            && wanted.ignored.contains(meta.sender().value()))
                    && wanted.filter.passes(meta.type(), meta.sender(), meta.url());
        }

        Page page() {
            return new Page(reading, found, wanted.from, exhausted ? null : Long.valueOf(place), null);
        }
    }
}
