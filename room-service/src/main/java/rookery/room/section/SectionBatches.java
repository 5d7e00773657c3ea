// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.room.redaction.ErasedSenders;
import rookery.room.redaction.ErasedSenders.EventsOfRoom;
import rookery.room.relation.Audience;
import rookery.room.relation.Bundles;
import rookery.room.relation.Page;
import rookery.room.section.RoomStates.StatePiece;
import rookery.room.section.SectionRows.NewestEvents;
import rookery.room.table.StoredEvent;

/**
 * Reads the sections of a batch of rooms. Each step is one or two statements for all rooms, with the results of the steps before.
 */
@Component
class SectionBatches {
    /** The minimum read at once with a filter, because the share of passing events is unknown. */
    private static final int STRETCH_MIN = 20;

    private static final int GROWTH = 4;
    /** Events of all rooms together in one read. */
    private static final int EVENTS_MAX = 20_000;
    /** Bytes of all rooms together in one read and in the batch; each room gets at least {@link #EACH_BYTES_MIN}. */
    private static final int BYTES_MAX = 8 << 20;

    private static final int EACH_BYTES_MIN = 16 << 10;

    private final SectionRows rows;
    private final RoomStates states;
    private final SectionStates sectionStates;
    private final SectionSummaries summaries;
    private final ReceiptRows receipts;
    private final Bundles bundles;
    private final ErasedSenders erased;
    private final Snapshots snapshots;

    SectionBatches(
            SectionRows rows,
            RoomStates states,
            SectionStates sectionStates,
            SectionSummaries summaries,
            ReceiptRows receipts,
            Bundles bundles,
            ErasedSenders erased,
            Snapshots snapshots) {
        this.rows = rows;
        this.states = states;
        this.sectionStates = sectionStates;
        this.summaries = summaries;
        this.receipts = receipts;
        this.bundles = bundles;
        this.erased = erased;
        this.snapshots = snapshots;
    }

    /**
     * The sections of a batch as of one snapshot.
     *
     * @param rest rooms left to the next batch, because the sections have reached their bytes
     */
    record SectionPortion(List<Section> sections, List<CandidateRoom> rest) {}

    Mono<SectionPortion> read(SyncRequest request, List<CandidateRoom> candidates) {
        return Mono.defer(() -> read(new SectionBatch(request, candidates))).as(snapshots::of);
    }

    private Mono<SectionPortion> read(SectionBatch batch) {
        // one step after the other: all share the connection of the snapshot
        return Flux.concat(
                        Mono.defer(() -> scanned(batch, first(batch.request))),
                        Mono.defer(() -> bundled(batch)),
                        Mono.defer(() -> own(batch)),
                        Mono.defer(() -> sectionStates.fill(batch)),
                        Mono.defer(() -> summaries.fill(batch)),
                        Mono.defer(() -> sectionStates.finish(batch)),
                        Mono.defer(() -> stripped(batch)))
                .then(Mono.defer(() -> receipts(batch)))
                .map(read -> new SectionPortion(batch.sections(read), List.copyOf(batch.rest)));
    }

    private static int first(SyncRequest request) {
        int enough = request.filter().timelineLimit() + 1;
        return request.filter().timeline().isOpen() ? enough : Math.max(STRETCH_MIN, enough);
    }

    /** Reads events of all rooms together, in rounds, until each room has its timeline. */
    private Mono<Void> scanned(SectionBatch batch, int count) {
        var open = batch.rooms.stream()
                .map(room -> room.scan)
                .filter(scan -> !scan.isDone())
                .toList();
        if (open.isEmpty()) {
            return Mono.empty();
        }
        int limit = Math.max(first(batch.request), Math.min(count, EVENTS_MAX / open.size()));
        var stretches = open.stream().map(TimelineScan::rest).toList();
        int bytes = Math.clamp(BYTES_MAX / open.size(), EACH_BYTES_MIN, TimelineScan.READ_BYTES);
        return rows.newest(batch.request.tenant(), stretches, limit, bytes).flatMap(newest -> {
            open.forEach(scan -> scan.take(newest.getOrDefault(scan.room.room(), NewestEvents.NONE)));
            batch.leaveOutBeyond(BYTES_MAX);
            return scanned(batch, limit * GROWTH);
        });
    }

    /** Reads the member events of invitations and knocks, and with {@code state_after} the leave events that ended them. */
    private Mono<Void> own(SectionBatch batch) {
        var user = batch.request.user().value();
        var pending = batch.rooms.stream()
                .filter(room -> room.candidate.kind().isPreview())
                .toList();
        var ended = batch.request.stateAfter() ? batch.neverJoined().toList() : List.<SectionBatch.Room>of();
        var pieces = Stream.concat(pending.stream(), ended.stream())
                .map(room -> new StatePiece(room.at(room.candidate.upto()), EventTypes.MEMBER, user))
                .toList();
        return states.piecesAt(batch.request.tenant(), pieces)
                .doOnNext(states -> {
                    SectionBatch.each(pending.stream(), states, SectionBatches::setOwn);
                    SectionBatch.each(ended.stream(), states, (room, own) -> room.state = own);
                })
                .then();
    }

    private static void setOwn(SectionBatch.Room room, List<StoredEvent> own) {
        room.own = own.getFirst();
    }

    /** Strips events of deactivated users who asked for the erasure of their messages, for readers who joined later. */
    private Mono<Void> stripped(SectionBatch batch) {
        var sent = batch.open()
                .map(room -> new EventsOfRoom(room.key(batch.request), room.candidate.history(), room.scan.timeline()))
                .toList();
        return erased.among(sent)
                .doOnNext(hidden -> batch.open().forEach(room -> room.timeline = stripped(batch, room, hidden)))
                .then();
    }

    private static List<StoredEvent> stripped(
            SectionBatch batch, SectionBatch.Room room, Map<TenantRoom, Set<UserId>> hidden) {
        var senders = hidden.get(room.key(batch.request));
        return senders == null ? room.scan.timeline() : ErasedSenders.stripped(room.scan.timeline(), senders);
    }

    /**
     * Bundles relations for new rooms and limited timelines; in all other timelines the related events follow by
     * themselves. Shortens timelines whose events and relations together exceed a page.
     */
    private Mono<Void> bundled(SectionBatch batch) {
        var request = batch.request;
        var ignored = request.ignored().stream().map(UserId::value).collect(Collectors.toSet());
        var rooms = batch.open()
                .filter(room -> room.scan.limited() || room.candidate.fresh())
                .toList();
        var pages = rooms.stream()
                .map(room -> new Page(
                        audience(request, room, ignored), room.scan.timeline().reversed()))
                .toList();
        return bundles.of(pages)
                .doOnNext(relations -> {
                    batch.bundled = relations.texts();
                    for (int i = 0; i < rooms.size(); i++) {
                        rooms.get(i).scan.keepNewest(relations.complete().get(i), relations.texts());
                    }
                })
                .then();
    }

    private static Audience audience(SyncRequest request, SectionBatch.Room room, Set<String> ignored) {
        var candidate = room.candidate;
        return new Audience(
                room.key(request),
                candidate.shard(),
                request.user(),
                null,
                candidate.history(),
                candidate.upto(),
                false,
                ignored);
    }

    private Mono<Map<RoomId, List<Receipt>>> receipts(SectionBatch batch) {
        return receipts.changed(
                batch.request, batch.rooms.stream().map(room -> room.candidate).toList());
    }
}
