// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import rookery.model.token.Positions;
import rookery.platform.http.AnswerReservation;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogEntries;
import rookery.room.section.SectionRows.KnownRoom;

/**
 * Builds the rooms of a sync response from the tables (contract.md 10.4). Sync nodes answer from memory if they can and ask this
 * service otherwise, so both must give the same response.
 *
 * <p>The end of the response is fixed together with its rooms. The rooms are then read in batches as of the fixed positions:
 * entries and state before a position do not change any more, except by redactions and purges, which later entries of the log
 * announce. So a slow reader occupies no connection, and an instance keeps at most two batches of a response in memory.
 */
@Component
class SectionReader {
    /** Approximate events of a batch; a thousand small rooms need a handful of batches. */
    private static final int BATCH_EVENTS = 8_000;
    /** Approximate bytes of state of a batch; a room with more is a batch of its own. */
    private static final long BATCH_BYTES = 4 << 20;
    /** The maximal reservation of memory for one response. */
    private static final long RESERVED_MAX = Runtime.getRuntime().maxMemory() / 32;

    private static final int MEMBER_BYTES = 400;
    /** Approximate number of a room's state events without member events. */
    private static final int STATE_EVENTS = 12;

    private final LogEntries log;
    private final SectionRows rows;
    private final SectionBatches batches;
    private final Snapshots snapshots;

    SectionReader(LogEntries log, SectionRows rows, SectionBatches batches, Snapshots snapshots) {
        this.log = log;
        this.rows = rows;
        this.batches = batches;
        this.snapshots = snapshots;
    }

    /** The response: the positions of {@code upto}, then the rooms, joined rooms first. */
    record Sections(long epoch, Positions upto, Flux<Section> rooms) {}

    Mono<Sections> read(SyncRequest request) {
        return log.heads()
                .flatMap(heads -> rows.memberships(request).map(memberships -> sections(request, heads, memberships)))
                .as(snapshots::of)
                .cache(); // a client that disconnects does not cancel the query
    }

    private Sections sections(SyncRequest request, Heads heads, List<KnownRoom> memberships) {
        var upto = request.upto() == null
                ? heads.positions()
                : Positions.of(
                        request.upto().stream().mapToLong(Long::longValue).toArray());
        var batches = new ArrayDeque<>(batches(candidates(memberships, request, upto)));
        var rooms = Flux.<Deque<List<CandidateRoom>>>generate(sink -> next(batches, sink))
                .concatMap(
                        waiting -> portion(request, waiting).cache(),
                        0) // a disconnecting client does not cancel the query
                .flatMapIterable(sections -> sections, 1);
        var purged = memberships.stream().flatMap(room -> PurgedRooms.of(room, request, upto).stream());
        return new Sections(heads.epoch(), upto, rooms.concatWith(Flux.fromStream(purged)));
    }

    private static void next(Deque<List<CandidateRoom>> waiting, SynchronousSink<Deque<List<CandidateRoom>>> sink) {
        if (waiting.isEmpty()) {
            sink.complete();
        } else {
            sink.next(waiting);
        }
    }

    private Mono<List<Section>> portion(SyncRequest request, Deque<List<CandidateRoom>> waiting) {
        return batches.read(request, waiting.removeFirst())
                .delayUntil(read -> reserved(read.sections()))
                .map(read -> {
                    if (!read.rest().isEmpty()) {
                        waiting.addFirst(read.rest());
                    }
                    return read.sections();
                });
    }

    /**
     * Reserves memory for a portion, which is sent before the next one is read; a room above the limit is a portion of its own.
     */
    private static Mono<Void> reserved(List<Section> sections) {
        long length = sections.stream().mapToLong(Section::length).sum();
        return Mono.deferContextual(context -> {
            AnswerReservation.of(context).atLeast(Math.min(2 * length, RESERVED_MAX));
            return Mono.empty();
        });
    }

    private record WeighedCandidate(CandidateRoom candidate, int events, long bytes) {}

    private static List<WeighedCandidate> candidates(List<KnownRoom> memberships, SyncRequest request, Positions upto) {
        var candidates = new ArrayList<WeighedCandidate>();
        for (var room : memberships) {
            var candidate = room.purge() != null || !request.filter().passesRoom(room.room())
                    ? null
                    : CandidateRoom.of(
                            room.room(),
                            room.shard(),
                            room.historyUpTo(upto.at(room.shard())),
                            room.forgotten(),
                            request,
                            upto.at(room.shard()));
            if (candidate != null) {
                candidates.add(weighed(request, room, candidate));
            }
        }
        candidates.sort(Comparator.comparing(each -> each.candidate.kind()));
        return candidates;
    }

    private static WeighedCandidate weighed(SyncRequest request, KnownRoom room, CandidateRoom candidate) {
        boolean whole = candidate.fresh() || request.fullState();
        boolean lazy = request.filter().state().lazyLoadMembers();
        int state = !whole ? 0 : lazy ? STATE_EVENTS : STATE_EVENTS + room.members();
        long bytes = room.stateBytes() + (!whole || lazy ? 0 : (long) MEMBER_BYTES * room.members());
        return new WeighedCandidate(candidate, request.filter().timelineLimit() + state, bytes);
    }

    private static List<List<CandidateRoom>> batches(List<WeighedCandidate> rooms) {
        var all = new ArrayList<List<CandidateRoom>>();
        var batch = new ArrayList<CandidateRoom>();
        int events = 0;
        long bytes = 0;
        for (var room : rooms) {
            events += room.events;
            bytes += room.bytes;
            if (!batch.isEmpty() && (events > BATCH_EVENTS || bytes > BATCH_BYTES)) {
                all.add(List.copyOf(batch));
                batch.clear();
                events = room.events;
                bytes = room.bytes;
            }
            batch.add(room.candidate);
        }
        if (!batch.isEmpty()) {
            all.add(List.copyOf(batch));
        }
        return all;
    }
}
