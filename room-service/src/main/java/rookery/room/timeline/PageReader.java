// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.http.PageBytes;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.table.BoundedRows;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads pages of the events visible to a reader; consecutive pages neither overlap nor leave gaps. */
@Component
public class PageReader {
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

    /** Events from one position towards another, filtered, without message events of {@code ignored} users. */
    record PageQuery(long from, long to, Direction direction, int limit, TimelineFilter filter, Set<String> ignored) {}

    /**
     * A page of events.
     *
     * @param end position at which the next page begins; null if the reader has no further events
     * @param members with lazy loading, the senders' member events as of the page; otherwise null
     */
    record Page(
            ReaderInRoom reading,
            List<StoredEvent> events,
            long start,
            @Nullable Long end,
            @Nullable List<StoredEvent> members) {
        private Page with(List<StoredEvent> memberEvents) {
            return new Page(reading, events, start, end, memberEvents);
        }

        /** The page with its first {@code count} events; the next page begins with the events left out. */
        Page first(int count, Direction direction) {
            if (count == events.size()) {
                return this;
            }
            long next = events.get(count).pos();
            long place = direction == Direction.BACKWARDS ? next : next - 1;
            return new Page(reading, events.subList(0, count), start, place, members);
        }
    }

    Mono<Page> page(ReaderInRoom reading, PageQuery query) {
        return visibilities
                .places(reading)
                .flatMap(places -> page(reading, places, query))
                .flatMap(page -> query.filter.events().lazyLoadMembers() ? withMembers(page, query) : Mono.just(page));
    }

    /** Without members, for callers that read several pages of a room with the same visible positions. */
    Mono<Page> page(ReaderInRoom reading, VisiblePlaces places, PageQuery query) {
        return scan(new Scan(reading, places, query));
    }

    private Mono<Page> scan(Scan scan) {
        if (!scan.enter()) {
            return Mono.just(scan.page());
        }
        return stretch(scan).flatMap(read -> {
            scan.take(read);
            return scan(scan);
        });
    }

    private Mono<BoundedRows<StoredEvent>> stretch(Scan scan) {
        var room = scan.reading.room();
        return switch (scan.query.direction) {
            case BACKWARDS -> timeline.backwards(room, scan.place, scan.bound, scan.next());
            case FORWARDS -> timeline.forwards(room, scan.place, scan.bound, scan.next());
        };
    }

    private Mono<Page> withMembers(Page page, PageQuery query) {
        if (page.events.isEmpty()) {
            return Mono.just(page);
        }
        var senders = senders(page.events);
        long newest =
                Math.max(page.events.getFirst().pos(), page.events.getLast().pos());
        return states.membersAt(page.reading.room(), page.reading.shard(), newest, senders)
                .map(read -> page.with(read.events())
                        .first(sentBy(page.events, senders.subList(0, read.looked())), query.direction));
    }

    /** Distinct senders in the order of their first events. */
    static List<String> senders(List<StoredEvent> events) {
        return events.stream()
                .map(event -> event.event().meta().sender().value())
                .distinct()
                .toList();
    }

    /** Number of events, from the first on, sent by these users. */
    public static int sentBy(List<StoredEvent> events, List<String> senders) {
        var users = Set.copyOf(senders);
        return (int) events.stream()
                .takeWhile(event -> users.contains(event.event().meta().sender().value()))
                .count();
    }

    /** The progress of a scan: invisible stretches are skipped as a whole, single hidden or filtered events individually. */
    private static final class Scan {
        private final ReaderInRoom reading;
        private final VisiblePlaces places;
        private final PageQuery query;
        private final List<StoredEvent> events = new ArrayList<>();
        private long place;
        /** End of the current stretch. */
        private long bound;

        private long bytes;
        private int scanned;
        private int rounds;
        private int requested;
        private boolean exhausted;
        private boolean more;

        Scan(ReaderInRoom reading, VisiblePlaces places, PageQuery query) {
            this.reading = reading;
            this.places = query.filter.events().passesRoom(reading.room().room()) ? places : VisiblePlaces.NONE;
            this.query = query;
            this.place = query.from;
        }

        /** Moves to the next visible position; false when the page is complete. */
        boolean enter() {
            if (more) {
                return false;
            }
            boolean isBackwards = query.direction == Direction.BACKWARDS;
            var stretch = isBackwards ? places.atOrBelow(place) : places.atOrAbove(place + 1);
            if (stretch == null || (isBackwards ? stretch.last() <= query.to : stretch.first() > query.to)) {
                exhausted = true;
                return false;
            }
            place = isBackwards ? stretch.last() : stretch.first() - 1;
            bound = isBackwards ? Math.max(stretch.first() - 1, query.to) : Math.min(stretch.last(), query.to);
            return bytes < PageBytes.PAGE_MAX && scanned < SCAN_MAX && rounds++ < ROUNDS_MAX;
        }

        int next() {
            // one event more than missing shows whether more follow; where much is hidden, stretches are longer
            requested = scanned == 0 ? query.limit + 1 : Math.min(STRETCH, SCAN_MAX - scanned);
            return requested;
        }

        void take(BoundedRows<StoredEvent> read) {
            for (var counted : read.rows()) {
                var event = counted.row();
                boolean passes = reading.sees(event)
                        && !ShownEvents.isIgnored(event, query.ignored)
                        && query.filter.passes(event);
                if (passes && (events.size() == query.limit || bytes >= PageBytes.PAGE_MAX)) {
                    more = true;
                    return; // the event belongs to the next page, which begins here
                }
                if (passes) {
                    events.add(event);
                    bytes += counted.bytes();
                }
                place = query.direction == Direction.BACKWARDS ? event.pos() - 1 : event.pos();
                scanned++;
            }
            if (read.rows().size() < requested && !read.cut()) {
                place = bound;
            }
        }

        Page page() {
            return new Page(reading, events, query.from, exhausted ? null : Long.valueOf(place), null);
        }
    }
}
