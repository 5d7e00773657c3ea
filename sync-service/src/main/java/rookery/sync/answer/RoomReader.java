// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.answer.RoomsClient.RoomsAnswer;
import rookery.sync.answer.RoomsClient.RoomsRequest;
import rookery.sync.inbox.RoomMemberships.RoomNews;
import rookery.sync.ring.ReceiptEvents;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.ring.WarmRoom;
import rookery.sync.ring.WarmRoom.AskOwner;
import rookery.sync.ring.WarmRoom.Changed;
import rookery.sync.ring.WarmRoom.Nothing;
import rookery.sync.ring.WarmRoom.WarmReader;

/** Reads the room log for a user: from rings in memory, and all other rooms with one call to room-service. */
@Component
class RoomReader {
    private final RoomsClient roomService;
    private final Counter hits;
    private final Counter misses;

    RoomReader(RoomsClient roomService, MeterRegistry meters) {
        this.roomService = roomService;
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
        return roomService.askForAll(request(poll, null, null, null));
    }

    /** All rooms in portions, for the range of the look. */
    Flux<RoomsAnswer> all(Look look) {
        return roomService.askForAll(request(look, null));
    }

    Mono<RoomChanges> changes(Look look) {
        var news = look.inbox()
                .memberships()
                .news(look.sinceToken().rooms(), look.next().rooms());
        if (news == null) {
            return ask(look, null);
        }
        var changes = new RoomChanges();
        var missing = new ArrayList<RoomId>();
        var filter = look.poll().filter.room();
        for (var room : news.unclear()) {
            if (filter.passesRoom(room)) {
                missing.add(room);
            }
        }
        for (var room : news.rooms()) {
            if (filter.passesRoom(room.room()) && !isRead(look, room, changes)) {
                missing.add(room.room());
            }
        }
        return missing.isEmpty() ? Mono.just(changes) : ask(look, missing).map(changes::plus);
    }

    /** Reads a room from its ring; false if the ring does not suffice. */
    private boolean isRead(Look look, RoomNews room, RoomChanges changes) {
        long from = look.sinceToken().rooms().at(room.shard());
        long upto = look.next().rooms().at(room.shard());
        var user = look.poll().reader.user();
        var receipts = look.takesEphemeral(room.room(), ReceiptEvents.TYPE)
                ? room.ring().receipts().between(from, upto, user)
                : room.ring().receipts().ownBetween(from, upto, user); // own receipts change the unread counts
        if (receipts == null) {
            return false;
        }
        var range = room.ring().between(from, upto);
        (range == null ? misses : hits).increment();
        return switch (WarmRoom.read(warmReader(look, room, from), range, room.ring())) {
            case Changed(var part) -> {
                changes.rooms().add(part);
                changes.receipts().put(room.room(), receipts);
                yield true;
            }
            case Nothing() -> {
                changes.receipts().put(room.room(), receipts);
                yield true;
            }
            case AskOwner() -> false;
        };
    }

    private static WarmReader warmReader(Look look, RoomNews room, long from) {
        return new WarmReader(
                room.room(),
                room.shard(),
                room.joinedFrom(),
                room.met(),
                from,
                look.poll().filter.room(),
                look.ignored(),
                look.poll().query.stateAfter());
    }

    /** @param rooms null for all rooms */
    private Mono<RoomChanges> ask(Look look, @Nullable List<RoomId> rooms) {
        return roomService.ask(request(look, rooms)).map(answer -> learned(look, answer));
    }

    private static RoomsRequest request(Look look, @Nullable List<RoomId> rooms) {
        return request(look.poll(), look.sinceToken().rooms(), look.next().rooms(), rooms);
    }

    private static RoomsRequest request(
            Poll poll, @Nullable Positions since, @Nullable Positions upto, @Nullable List<RoomId> rooms) {
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
                poll.settings().blocksInvites());
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
