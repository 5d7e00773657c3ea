// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.answer.MemberEvents.LackingMember;
import rookery.sync.answer.RoomsClient.RoomsAnswer;
import rookery.sync.answer.RoomsClient.RoomsRequest;
import rookery.sync.inbox.RoomMemberships.RoomNews;
import rookery.sync.ring.ReceiptEvents;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.ring.WarmRoom;
import rookery.sync.ring.WarmRoom.AskOwner;
import rookery.sync.ring.WarmRoom.Changed;
import rookery.sync.ring.WarmRoom.Lacks;
import rookery.sync.ring.WarmRoom.Nothing;
import rookery.sync.ring.WarmRoom.UnknownMember;
import rookery.sync.ring.WarmRoom.WarmReader;

/** Reads the room log for a user: from rings in memory, and all other rooms with one call to room-service. */
@Component
class RoomReader {
    private final RoomsClient roomService;
    private final MemberEvents members;
    private final Counter hits;
    private final Counter misses;

    RoomReader(RoomsClient roomService, MemberEvents members, MeterRegistry meters) {
        this.roomService = roomService;
        this.members = members;
        this.hits = ringReads(meters, "hit");
        this.misses = ringReads(meters, "miss");
    }

    private static Counter ringReads(MeterRegistry meters, String result) {
        return Counter.builder("sync_ring_reads")
                .description("reads of rooms in memory, by success")
                .tag("result", result)
                .register(meters);
    }

    /** All rooms in portions, for an initial sync; room-service chooses the positions. */
    Flux<RoomsAnswer> all(Poll poll) {
        return roomService.askForAll(request(poll, null, null, null, null));
    }

    /** All rooms in portions, for the range of the look. */
    Flux<RoomsAnswer> all(Look look) {
        return roomService.askForAll(request(look, null, null));
    }

    Mono<RoomChanges> changes(Look look) {
        var news = look.inbox()
                .memberships()
                .news(look.sinceToken().rooms(), look.next().rooms());
        if (news == null) {
            return ask(look, null, null);
        }
        var reading = new Reading(look, null);
        var filter = look.poll().filter.room();
        for (var room : news.unclear()) {
            if (filter.passesRoom(room)) {
                reading.missing.add(room);
            }
        }
        for (var room : news.rooms()) {
            if (filter.passesRoom(room.room())) {
                read(room, reading);
            }
        }
        return completed(reading);
    }

    /**
     * Reads the given rooms, each from a position of its own.
     *
     * @param warm rooms to read from memory
     * @param cold rooms to read from room-service
     * @param starts of each of these rooms
     */
    Mono<RoomChanges> read(Look look, List<RoomNews> warm, List<RoomId> cold, Map<RoomId, RoomStart> starts) {
        var reading = new Reading(look, starts);
        reading.missing.addAll(cold);
        warm.forEach(room -> read(room, reading));
        return completed(reading);
    }

    private Mono<RoomChanges> completed(Reading reading) {
        var look = reading.look;
        return reading.lacking.isEmpty()
                ? rest(reading)
                : members.learn(look.tenant(), look.next().roomEpoch(), reading.members())
                        .then(Mono.defer(() -> again(reading)));
    }

    /** The rooms of a look: the changes so far, the rooms that lack member events, and the rooms that only their owner can read. */
    private record Reading(
            Look look,
            @Nullable Map<RoomId, RoomStart> starts,
            RoomChanges changes,
            Map<RoomNews, List<UnknownMember>> lacking,
            List<RoomId> missing) {
        Reading(Look look, @Nullable Map<RoomId, RoomStart> starts) {
            this(look, starts, new RoomChanges(), new LinkedHashMap<>(), new ArrayList<>());
        }

        long from(RoomNews room) {
            var own = starts == null ? null : starts.get(room.room());
            return own == null ? look.sinceToken().rooms().at(room.shard()) : own.after();
        }

        @Nullable
        Map<RoomId, RoomStart> startsOfMissing() {
            if (starts == null) {
                return null;
            }
            var some = new HashMap<RoomId, RoomStart>();
            missing.forEach(room -> some.put(room, Objects.requireNonNull(starts.get(room))));
            return some;
        }

        List<LackingMember> members() {
            var members = new ArrayList<LackingMember>();
            lacking.forEach((room, unknown) -> {
                long asOf = look.next().rooms().at(room.shard());
                unknown.forEach(member -> members.add(new LackingMember(
                        room.ring(), room.room(), room.shard(), member.user(), member.changedAt(), asOf)));
            });
            return members;
        }
    }

    private Mono<RoomChanges> again(Reading reading) {
        var rooms = List.copyOf(reading.lacking.keySet());
        reading.lacking.clear();
        rooms.forEach(room -> read(room, reading));
        reading.lacking.keySet().forEach(room -> reading.missing.add(room.room()));
        return rest(reading);
    }

    private Mono<RoomChanges> rest(Reading reading) {
        return reading.missing.isEmpty()
                ? Mono.just(reading.changes)
                : ask(reading.look, reading.missing, reading.startsOfMissing()).map(reading.changes::plus);
    }

    /** Reads a room from its ring. */
    private void read(RoomNews room, Reading reading) {
        var look = reading.look;
        long from = reading.from(room);
        long upto = look.next().rooms().at(room.shard());
        var user = look.poll().reader.user();
        var receipts = look.takesEphemeral(room.room(), ReceiptEvents.TYPE)
                ? room.ring().receipts().between(from, upto, user)
                : room.ring().receipts().ownBetween(from, upto, user); // own receipts change the unread counts
        if (receipts == null) {
            reading.missing.add(room.room());
            return;
        }
        var range = room.ring().between(from, upto);
        (range == null ? misses : hits).increment();
        switch (WarmRoom.read(warmReader(look, room, from, upto), range, room.ring())) {
            case Changed(var part) -> {
                reading.changes.rooms().add(part);
                reading.changes.receipts().put(room.room(), receipts);
            }
            case Nothing() -> reading.changes.receipts().put(room.room(), receipts);
            case Lacks(var unknown) -> reading.lacking.put(room, unknown);
            case AskOwner() -> reading.missing.add(room.room());
        }
    }

    private static WarmReader warmReader(Look look, RoomNews room, long from, long upto) {
        return new WarmReader(
                room.room(),
                look.poll().reader.user(),
                room.shard(),
                room.joinedFrom(),
                room.earlier(),
                room.met(),
                from,
                upto,
                look.poll().filter.room(),
                look.ignored(),
                look.poll().query.stateAfter());
    }

    /** @param rooms null for all rooms */
    private Mono<RoomChanges> ask(Look look, @Nullable List<RoomId> rooms, @Nullable Map<RoomId, RoomStart> starts) {
        return roomService.ask(request(look, rooms, starts)).map(answer -> learned(look, answer));
    }

    private static RoomsRequest request(
            Look look, @Nullable List<RoomId> rooms, @Nullable Map<RoomId, RoomStart> starts) {
        var since = look.since();
        return request(
                look.poll(), since == null ? null : since.rooms(), look.next().rooms(), rooms, starts);
    }

    private static RoomsRequest request(
            Poll poll,
            @Nullable Positions since,
            @Nullable Positions upto,
            @Nullable List<RoomId> rooms,
            @Nullable Map<RoomId, RoomStart> starts) {
        return new RoomsRequest(
                poll.reader.tenant(),
                poll.reader.user(),
                since == null ? null : since.toArray(),
                upto == null ? null : upto.toArray(),
                rooms,
                poll.filter.room(),
                poll.isComplete(),
                poll.settings().ignored(),
                poll.query.stateAfter(),
                poll.settings().blocksInvites(),
                positions(starts, RoomStart::after),
                positions(starts, RoomStart::membersAfter));
    }

    private static @Nullable Map<String, Long> positions(
            @Nullable Map<RoomId, RoomStart> starts, ToLongFunction<RoomStart> position) {
        if (starts == null) {
            return null;
        }
        var positions = new HashMap<String, Long>();
        starts.forEach((room, start) -> positions.put(room.value(), position.applyAsLong(start)));
        return positions;
    }

    /** Converts room-service's answer and caches its member events, which spare later calls. */
    static RoomChanges learned(Look look, RoomsAnswer answer) {
        if (answer.epoch() != look.next().roomEpoch()) {
            throw Look.restoredError();
        }
        if (showsAllMembers(look.poll().filter.room())) {
            answer.rooms().forEach(part -> learn(look, part));
        }
        return new RoomChanges(answer.rooms(), answer.receipts());
    }

    /** Whether the answer always contains the newest member event of each user in it. */
    private static boolean showsAllMembers(RoomFilter filter) {
        return filter.state().lazyLoadMembers()
                && filter.state().isOpen()
                && filter.timeline().isOpen();
    }

    private static void learn(Look look, RoomPart part) {
        if (part.section() == Section.JOIN) {
            var lines = new ArrayList<>(part.state());
            lines.addAll(part.timeline());
            long asOf = look.next().rooms().at(part.shard());
            look.inbox().memberships().learn(part.room(), WarmRoom.newestMembers(lines), asOf);
        }
    }
}
