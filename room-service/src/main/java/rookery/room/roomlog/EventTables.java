// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.room.table.SearchIndex;

/** Writes the rooms of a batch, their events and their state. */
@Component
class EventTables {
    private final Rooms rooms;
    private final Events events;
    private final SearchIndex search;
    private final MediaReferences media;
    private final Threads threads;
    private final States states;

    EventTables(Rooms rooms, Events events, SearchIndex search, MediaReferences media, Threads threads, States states) {
        this.rooms = rooms;
        this.events = events;
        this.search = search;
        this.media = media;
        this.threads = threads;
        this.states = states;
    }

    /** @param changed existing rooms with changed state */
    Mono<Void> write(BatchRows rows, List<RoomWork> changed, long nowMillis) {
        return Flux.concat(
                        Flux.fromIterable(rows.created).concatMap(room -> rooms.create(room, nowMillis)),
                        events.insert(rows.events, nowMillis),
                        search.insert(rows.searched, nowMillis),
                        media.insert(rows.media),
                        threads.add(rows.events),
                        states.close(rows.ended),
                        states.open(rows.begun()),
                        rooms.update(changed),
                        rooms.list(rows.listed))
                .then();
    }
}
