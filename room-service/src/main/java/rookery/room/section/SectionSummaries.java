// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.room.section.RoomStates.StatePiece;
import rookery.room.section.Section.Kind;
import rookery.room.section.Section.Summary;
import rookery.room.section.SectionBatch.Room;
import rookery.room.section.SectionRows.Stretch;
import rookery.room.table.StoredEvent;

/** Counts of members and heroes of the rooms of a batch (contract.md 10.3). */
@Component
class SectionSummaries {
    private final SectionRows rows;
    private final RoomStates states;
    private final HeroRows heroes;

    SectionSummaries(SectionRows rows, RoomStates states, HeroRows heroes) {
        this.rows = rows;
        this.states = states;
        this.heroes = heroes;
    }

    /** Adds a summary to each room whose client needs one. */
    Mono<Void> fill(SectionBatch batch) {
        batch.open().forEach(room -> room.summaryChanged = hasChanged(room));
        var rooms =
                batch.open().filter(room -> needsSummary(batch.request, room)).toList();
        return newest(batch.request, rooms)
                .zipWhen(_ -> heroes(batch.request, rooms))
                .doOnNext(read -> rooms.forEach(room -> fill(room, read.getT1(), read.getT2())))
                .then();
    }

    private static boolean hasChanged(Room room) {
        return room.candidate.kind() == Kind.JOIN
                && (room.scan.hasSummaryChanged() || room.state.stream().anyMatch(TimelineScan::isOfSummary));
    }

    /** In large rooms, joins and leaves do not wake syncs with a timeline filter, so their responses always have a summary. */
    private static boolean needsSummary(SyncRequest request, Room room) {
        return room.candidate.kind() == Kind.JOIN
                && (request.fullState()
                        || room.summaryChanged
                        || (!request.filter().timeline().isOpen() && isLarge(room)));
    }

    private static boolean isLarge(Room room) {
        var newest = room.scan.newest();
        return newest != null && !newest.event().meta().room().hasFewMembers();
    }

    /** The newest event of each room, which contains the counts of members; read from the table for rooms without new events. */
    private Mono<Map<RoomId, StoredEvent>> newest(SyncRequest request, List<Room> rooms) {
        var newestEvents = new HashMap<RoomId, StoredEvent>();
        var unknown = new ArrayList<Stretch>();
        for (var room : rooms) {
            var newest = room.scan.newest();
            if (newest == null) {
                unknown.add(new Stretch(room.id(), 0, room.candidate.upto()));
            } else {
                newestEvents.put(room.id(), newest);
            }
        }
        return rows.newest(request.tenant(), unknown, 1, 1)
                .doOnNext(read -> read.forEach(
                        (room, newest) -> newestEvents.put(room, newest.events().getFirst())))
                .thenReturn(newestEvents);
    }

    private Mono<Map<RoomId, List<String>>> heroes(SyncRequest request, List<Room> rooms) {
        var naming = rooms.stream()
                .flatMap(room -> TimelineScan.NAMING.stream()
                        .map(type -> new StatePiece(room.at(room.candidate.upto()), type, "")))
                .toList();
        return states.piecesAt(request.tenant(), naming)
                .flatMap(named -> heroes.of(
                        request,
                        rooms.stream()
                                .filter(room -> named.getOrDefault(room.id(), List.of()).stream()
                                        .noneMatch(SectionSummaries::isNaming))
                                .map(room -> room.candidate)
                                .toList()));
    }

    private static boolean isNaming(StoredEvent event) {
        var content = event.content();
        return Stream.of("name", "alias")
                .anyMatch(member -> !content.path(member).asString("").isEmpty());
    }

    private static void fill(Room room, Map<RoomId, StoredEvent> newest, Map<RoomId, List<String>> heroes) {
        var event = newest.get(room.id());
        if (event != null) {
            var counts = event.event().meta().room();
            room.summary = new Summary(counts.joined(), counts.invited(), heroes.getOrDefault(room.id(), List.of()));
        }
    }
}
