// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.counts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.token.CountsDoubt;
import rookery.model.token.Mark;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.Heads;
import rookery.sync.answer.Answer;
import rookery.sync.answer.Answer.Room;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.inbox.FollowedLogs;
import rookery.sync.inbox.Inbox;
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.unread.CountedRoom;
import rookery.sync.unread.Counts;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.unread.JudgedEvents;
import rookery.sync.unread.Names;
import rookery.sync.unread.UnreadAsker;
import rookery.sync.unread.UnreadAsker.UserToAsk;
import rookery.sync.unread.UserUnread.View;
import rookery.sync.waiting.Urgency;
import rookery.sync.waiting.Wake;
import tools.jackson.core.JsonGenerator;

/** Unread counts of the rooms in the answer, and corrected counts of other rooms (contract.md 11.4). */
@Component
@Order(Ordered.LOWEST_PRECEDENCE) // after all streams that add rooms
public class UnreadStream implements SyncStream {
    private static final Duration BEHIND_MAX = Duration.ofSeconds(1);
    public static final ContentKey<Counts> COUNTS = new ContentKey<>("unread counts of a room");

    private final FollowedLogs logs;
    private final UnreadAsker asker;
    private final JudgedEvents judged;
    private final UnsettledCounts unsettled;

    UnreadStream(FollowedLogs logs, UnreadAsker asker, JudgedEvents judged, UnsettledCounts unsettled) {
        this.logs = logs;
        this.asker = asker;
        this.judged = judged;
        this.unsettled = unsettled;
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        var next = look.next();
        return reached(next).then(Mono.defer(() -> counted(look, changes, answer)));
    }

    /** Waits until this node has followed the log as far as room-service: counts need the events. */
    private Mono<Void> reached(SyncToken next) {
        return logs.rooms()
                .reaches(new Heads(next.roomEpoch(), next.rooms()))
                .timeout(BEHIND_MAX)
                .onErrorComplete();
    }

    /** Counts, after a call to push-service if counts are in doubt. */
    private Mono<Void> counted(Look look, RoomChanges changes, Answer answer) {
        var inbox = look.inbox();
        var unread = inbox.unread();
        var now = logs.rooms().now();
        unread.begin(new View(
                look.poll().reader.user(),
                now.epoch(),
                now.positions(),
                logs.users().now().epoch(),
                look.settings().counts(),
                System.nanoTime()));
        forgetLeft(inbox, answer);
        learnNames(inbox, answer);
        var upto = now.positions().min(look.next().rooms());
        var read = look.isComplete() ? List.<RoomId>of() : readIn(look, changes);
        var toCount = new LinkedHashSet<>(answer.joinedRooms());
        toCount.addAll(read);
        toCount.addAll(unread.doubtful());
        var before = CountsMark.before(look);
        if (before.doubt() == CountsDoubt.ALL) {
            toCount.addAll(inbox.memberships().joinedRooms(upto));
        }
        toCount.removeIf(room -> !look.poll().covers(room));
        places(inbox, toCount, upto).values().forEach(place -> unread.look(place, upto.at(place.shard()), judged));
        var userToAsk = new UserToAsk(
                look.tenant(), look.poll().reader.user(), unread, roomIds -> places(inbox, roomIds, upto));
        long corrected = unread.corrected();
        return asker.update(userToAsk, upto).then(Mono.fromRunnable(() -> {
            if (unread.corrected() > corrected) {
                inbox.waiters().wake(Wake.NEWS); // the user's other devices need the corrections too
            }
            addCounts(look, answer, new CountsBasis(upto, before, read));
        }));
    }

    /** Rooms with new receipts of the reader, in the answer or not. */
    private static List<RoomId> readIn(Look look, RoomChanges changes) {
        var user = look.poll().reader.user();
        var read = new ArrayList<RoomId>();
        changes.receipts().forEach((room, receipts) -> {
            if (receipts.stream().anyMatch(receipt -> receipt.user().equals(user))) {
                read.add(room);
            }
        });
        return read;
    }

    /** Takes the user's own display name from member events in the answer. */
    private static void learnNames(Inbox inbox, Answer answer) {
        var user = inbox.key().user().value();
        for (var room : answer.rooms()) {
            Stream.concat(room.part.state().stream(), room.part.timeline().stream())
                    .map(Line::ringEvent)
                    .filter(ringEvent -> ringEvent.meta().membership() != null
                            && user.equals(ringEvent.meta().stateKey()))
                    .forEach(ringEvent ->
                            inbox.memberships().learnName(room.id(), ringEvent.pos(), Names.in(ringEvent.event())));
        }
    }

    private static void forgetLeft(Inbox inbox, Answer answer) {
        for (var room : answer.rooms()) {
            if (!room.isIn(Section.JOIN) && !inbox.memberships().isJoined(room.id())) {
                inbox.unread().drop(room.id());
            }
        }
    }

    private static Map<RoomId, CountedRoom> places(Inbox inbox, Collection<RoomId> rooms, Positions upto) {
        return inbox.memberships().countedRooms(rooms, upto);
    }

    /** The basis of the counts: their positions, the marks of the client's token, and the rooms with new own receipts. */
    private record CountsBasis(Positions upto, CountsMark before, List<RoomId> read) {}

    private void addCounts(Look look, Answer answer, CountsBasis basis) {
        var inbox = look.inbox();
        var unread = inbox.unread();
        boolean isComplete = basis.before.doubt() == CountsDoubt.ALL && !unread.isUnsettled();
        long corrected = unread.corrected(); // later corrections come with the next answer
        var joined = answer.joinedRooms();
        var urgent = new HashSet<>(basis.read);
        urgent.addAll(unread.corrections(basis.before.corrections()));
        if (isComplete) {
            urgent.addAll(inbox.memberships().joinedRooms(basis.upto));
        }
        var rooms = new LinkedHashSet<>(joined);
        rooms.addAll(urgent);
        var places = places(inbox, rooms, basis.upto);
        if (!places.keySet().containsAll(joined)) {
            unread.guess(); // this node is behind room-service
        }
        for (var place : places.values()) {
            var counts = unread.countsOf(place, basis.upto.at(place.shard()), judged);
            var room = answer.joined(look, place.room(), urgent.contains(place.room()) ? Urgency.NOW : Urgency.NOTHING);
            if (room != null) {
                room.put(COUNTS, counts);
            }
        }
        boolean isGuessed = unread.isUnsettled();
        if (isGuessed) {
            unsettled.add(inbox);
        }
        answer.mark(Mark.CORRECTIONS, corrected);
        answer.mark(Mark.COUNTS_DOUBT, basis.before.doubtAfter(isComplete, isGuessed).code);
        if (!look.isComplete() && !unread.isWithout(look.ignored())) {
            answer.setOvertaken(); // events that a newer ignore list shows come with their counts
        }
    }

    @Override
    public void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        if (room.isIn(Section.JOIN)) {
            var counts = room.get(COUNTS);
            write(
                    counts == null ? Counts.NONE : counts,
                    poll.filter.room().timeline().unreadThreadNotifications(),
                    json);
        }
    }

    private static void write(Counts counts, boolean byThread, JsonGenerator json) {
        json.writeName("unread_notifications");
        write(byThread ? counts.of(Counts.MAIN) : counts.whole(), json);
        if (byThread) {
            json.writeObjectPropertyStart("unread_thread_notifications");
            counts.threads().forEach((thread, tally) -> {
                if (!thread.equals(Counts.MAIN)) {
                    json.writeName(thread);
                    write(tally, json);
                }
            });
            json.writeEndObject();
        }
    }

    private static void write(Tally tally, JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("notification_count", tally.notifications());
        json.writeNumberProperty("highlight_count", tally.highlights());
        json.writeEndObject();
    }
}
