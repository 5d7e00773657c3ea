package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.filter.EventFilter;
import rookery.room.roomlog.StoredEvent;
import rookery.room.timeline.RoomReader.Reading;

/** Reads a page of what one reader may see; pages that follow each other neither overlap nor leave holes. */
@Component
class PageReader {
    private static final int SCAN_MAX = 1_000;
    private static final int STRETCH = 200;

    private final TimelineRows timeline;
    private final StateRows states;

    PageReader(TimelineRows timeline, StateRows states) {
        this.timeline = timeline;
        this.states = states;
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
    record Wanted(long from, long to, Direction direction, int limit, EventFilter filter, Set<String> ignored) {}

    /**
     * A page.
     *
     * @param end where the next page begins, or null if nothing further exists for this reader
     * @param members with lazy loading: the member events of the senders, as of the page; else null
     */
    record Page(
            Reading reading,
            List<StoredEvent> events,
            long start,
            @Nullable Long end,
            @Nullable List<StoredEvent> members) {}

    Mono<Page> page(Reading reading, Wanted wanted) {
        return scan(new Scan(reading, wanted)).flatMap(this::withMembers);
    }

    private Mono<Scanned> scan(Scan scan) {
        return stretch(scan).flatMap(events -> {
            scan.take(events);
            return scan.isDone() ? Mono.just(scan.page()) : scan(scan);
        });
    }

    private Mono<List<StoredEvent>> stretch(Scan scan) {
        return switch (scan.wanted.direction) {
            case BACKWARDS -> timeline.backwards(scan.reading.room(), scan.place, scan.wanted.to, scan.next());
            case FORWARDS -> timeline.forwards(scan.reading.room(), scan.place, scan.wanted.to, scan.next());
        };
    }

    private Mono<Page> withMembers(Scanned scanned) {
        var page = scanned.page;
        if (!scanned.lazy || page.events.isEmpty()) {
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

    private record Scanned(Page page, boolean lazy) {}

    /** How far the scan is: events that the reader may not see, or the filter drops, are passed over. */
    private static final class Scan {
        private final Reading reading;
        private final Wanted wanted;
        private final List<StoredEvent> found = new ArrayList<>();
        private long place;
        private int scanned;
        private int asked;
        private boolean exhausted;
        private boolean more;

        Scan(Reading reading, Wanted wanted) {
            this.reading = reading;
            this.wanted = wanted;
            this.place = wanted.from;
        }

        int next() {
            // one more than is missing tells whether anything follows; where much is hidden, longer stretches
            asked = scanned == 0 ? wanted.limit + 1 : STRETCH;
            return asked;
        }

        void take(List<StoredEvent> events) {
            exhausted = events.size() < asked;
            for (var event : events) {
                boolean passes = reading.sees(event) && isWanted(event);
                if (passes && found.size() == wanted.limit) {
                    exhausted = false;
                    more = true;
                    return; // it belongs to the next page, which begins here
                }
                if (passes) {
                    found.add(event);
                }
                place = wanted.direction == Direction.BACKWARDS ? event.pos() - 1 : event.pos();
                scanned++;
            }
        }

        private boolean isWanted(StoredEvent event) {
            var meta = event.event().meta();
            return !(meta.stateKey() == null
                            && wanted.ignored.contains(meta.sender().value()))
                    && wanted.filter.passesRoom(reading.room().room())
                    && wanted.filter.passes(meta.type(), meta.sender(), meta.url());
        }

        boolean isDone() {
            return exhausted || more || scanned >= SCAN_MAX;
        }

        Scanned page() {
            return new Scanned(
                    new Page(reading, found, wanted.from, exhausted ? null : Long.valueOf(place), null),
                    wanted.filter.lazyLoadMembers());
        }
    }
}
