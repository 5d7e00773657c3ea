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
 * Builds the rooms of a sync from the tables (contract.md 10.4). Sync nodes answer from memory what they can; whatever they do
 * not hold is asked here, so both must say the same.
 *
 * <p>Where the answer ends is decided once, with the rooms that it speaks of. The rooms are then read in batches, as they were at
 * those positions: entries and state before a position do not change any more, but for redactions and purges, of which the log
 * tells later. So a reader who takes long holds no connection, and this service never more than two batches of an answer.
 */
@Component
class SectionReader {
    /** Events of a batch, about; a thousand small rooms are a handful of batches. */
    private static final int BATCH_EVENTS = 8_000;
    /** Bytes of the state that the rooms of a batch have, about: a room with more is a batch of its own. */
    private static final long BATCH_BYTES = 4 << 20;
    /** Reserved for one answer at most. */
    private static final long RESERVED_MAX = Runtime.getRuntime().maxMemory() / 32;
    /** A member event, about. */
    private static final int MEMBER_BYTES = 400;
    /** State events of a room besides its members, about. */
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

    /** What is answered: the positions of {@code upto}, and then room after room, those that the user is in first. */
    record Sections(long epoch, Positions upto, Flux<Section> rooms) {}

    Mono<Sections> read(SyncRequest request) {
        return log.heads()
                .flatMap(heads -> rows.memberships(request).map(known -> sections(request, heads, known)))
                .as(snapshots::of)
                .cache(); // who does not wait any longer does not cancel the query
    }

    private Sections sections(SyncRequest request, Heads heads, List<KnownRoom> known) {
        var upto = request.upto() == null
                ? heads.positions()
                : Positions.of(
                        request.upto().stream().mapToLong(Long::longValue).toArray());
        var batches = new ArrayDeque<>(batches(candidates(known, request, upto)));
        var rooms = Flux.<Deque<List<Candidate>>>generate(sink -> next(batches, sink))
                .concatMap(waiting -> portion(request, waiting).cache(), 0) // as above
                .flatMapIterable(sections -> sections, 1);
        var purged = known.stream().flatMap(room -> PurgedRooms.told(room, request, upto).stream());
        return new Sections(heads.epoch(), upto, rooms.concatWith(Flux.fromStream(purged)));
    }

    private static void next(Deque<List<Candidate>> waiting, SynchronousSink<Deque<List<Candidate>>> sink) {
        if (waiting.isEmpty()) {
            sink.complete();
        } else {
            sink.next(waiting);
        }
    }

    private Mono<List<Section>> portion(SyncRequest request, Deque<List<Candidate>> waiting) {
        return batches.read(request, waiting.removeFirst())
                .delayUntil(read -> reserved(read.sections()))
                .map(read -> {
                    if (!read.rest().isEmpty()) {
                        waiting.addFirst(read.rest());
                    }
                    return read.sections();
                });
    }

    /** A portion is gone before the next one is read; a room that is larger than the bound is told alone. */
    private static Mono<Void> reserved(List<Section> sections) {
        long length = sections.stream().mapToLong(Section::length).sum();
        return Mono.deferContextual(context -> {
            AnswerReservation.of(context).atLeast(Math.min(2 * length, RESERVED_MAX));
            return Mono.empty();
        });
    }

    private record WeighedCandidate(Candidate candidate, int events, long bytes) {}

    private static List<WeighedCandidate> candidates(List<KnownRoom> known, SyncRequest request, Positions upto) {
        var found = new ArrayList<WeighedCandidate>();
        for (var room : known) {
            var candidate = room.purge() != null || !request.filter().passesRoom(room.room())
                    ? null
                    : Candidate.of(
                            room.room(),
                            room.shard(),
                            room.historyUpTo(upto.at(room.shard())),
                            room.forgotten(),
                            request,
                            upto.at(room.shard()));
            if (candidate != null) {
                found.add(weighed(request, room, candidate));
            }
        }
        found.sort(Comparator.comparing(each -> each.candidate.kind()));
        return found;
    }

    private static WeighedCandidate weighed(SyncRequest request, KnownRoom room, Candidate candidate) {
        boolean whole = candidate.fresh() || request.fullState();
        boolean lazy = request.filter().state().lazyLoadMembers();
        int state = !whole ? 0 : lazy ? STATE_EVENTS : STATE_EVENTS + room.members();
        long bytes = room.stateBytes() + (!whole || lazy ? 0 : (long) MEMBER_BYTES * room.members());
        return new WeighedCandidate(candidate, request.filter().timelineLimit() + state, bytes);
    }

    private static List<List<Candidate>> batches(List<WeighedCandidate> rooms) {
        var all = new ArrayList<List<Candidate>>();
        var batch = new ArrayList<Candidate>();
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
