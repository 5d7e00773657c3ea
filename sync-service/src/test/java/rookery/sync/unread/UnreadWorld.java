// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.sync.ring.RingBudget;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomRing;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.unread.RoomUnread.CountsQuery;
import rookery.sync.unread.UserUnread.RoomsToAsk;
import rookery.sync.unread.UserUnread.View;

/** A log of rooms, each in a shard of its own, a node's rings, and a push-service that counts by brute force and lags behind. */
final class UnreadWorld {
    static final UserId ADA = new UserId("@ada:s");
    static final UserId BOB = new UserId("@bob:s");
    static final UserId EVE = new UserId("@eve:s");

    final List<Room> rooms = new ArrayList<>();
    final JudgedEvents judged =
            new JudgedEvents(new UnreadProperties(Duration.ZERO, Duration.ZERO, 1, 1, DataSize.ofKilobytes(2)));
    final UserUnread unread = new UserUnread();
    private Settings settings = new Settings(0, false, Set.of());
    /** The settings that push-service knows. */
    private Settings heard = settings;
    /** A request's view from just before the last change of settings. */
    private @Nullable View overtaken;

    long nanos;

    /** The user's settings, set at a position of the user log. */
    private record Settings(long at, boolean mutesBob, Set<String> ignored) {}

    /** An entry of the log, for the brute-force counter. */
    sealed interface Entry {}

    /** @param redacts the position of the redacted event; 0 for none */
    record Event(UserId sender, String thread, boolean notice, boolean mention, long redacts, EventAppended appended)
            implements Entry {}

    record ReadTo(@Nullable String thread, long pos) implements Entry {}

    record Joined() implements Entry {}

    record Left() implements Entry {}

    final class Room {
        final RoomId id;
        final int shard;
        final List<Entry> log = new ArrayList<>();
        final Map<Long, Tally> verdicts = new HashMap<>();
        final Map<String, Long> furthest = new HashMap<>();
        final RoomRing ring;
        long pushed;
        long joinedFrom;

        Room(int shard, int entriesMax) {
            this.id = new RoomId("!r" + shard + ":s");
            this.shard = shard;
            this.ring = new RoomRing(0, entriesMax, 1 << 20, new RingBudget(Long.MAX_VALUE));
            join();
        }

        long head() {
            return log.size();
        }

        void message(UserId sender, @Nullable String thread, boolean notice, boolean mention) {
            var content = "{\"body\":\"hi\",\"msgtype\":\"" + (notice ? "m.notice" : "m.text") + "\""
                    + (mention ? ",\"m.mentions\":{\"user_ids\":[\"" + ADA.value() + "\"]}" : "") + "}";
            var event = event(EventTypes.MESSAGE, sender, null, content, thread, 0);
            put(new Event(sender, thread == null ? "main" : thread, notice, mention, 0, event));
        }

        void redact(UserId sender, long pos) {
            var event = event(EventTypes.REDACTION, sender, null, "{}", null, pos);
            put(new Event(sender, "main", true, false, pos, event));
        }

        void join() {
            joinedFrom = head() + 1;
            put(new Joined());
        }

        void leave() {
            put(new Left());
        }

        /** Never moves backwards, as in room-service. */
        void read(String type, @Nullable String thread, long pos) {
            if (pos <= furthest.getOrDefault(type + thread, 0L)) {
                return;
            }
            furthest.put(type + thread, pos);
            log.add(new ReadTo(thread, pos));
            var receipt = new Receipt(eventId(pos), pos, type, ADA, thread, 1);
            ring.receipts().add(new ReceiptsSet(List.of(receipt)), head(), head());
        }

        private void put(Entry entry) {
            log.add(entry);
            ring.add(new RingEvent(head(), appended(entry)), head());
        }

        private EventAppended appended(Entry entry) {
            return switch (entry) {
                case Event event -> event.appended;
                case Joined _ -> member(Membership.JOIN);
                case Left _ -> member(Membership.LEAVE);
                case ReadTo _ -> throw new IllegalArgumentException();
            };
        }

        private EventAppended member(Membership membership) {
            return event(EventTypes.MEMBER, ADA, membership, "{\"membership\":\"" + membership.word + "\"}", null, 0);
        }

        private EventId eventId(long pos) {
            return new EventId("$" + id.value().substring(1, 3) + "-" + pos);
        }

        private EventAppended event(
                String type,
                UserId sender,
                @Nullable Membership membership,
                String content,
                @Nullable String thread,
                long redacts) {
            var meta = EventMeta.builder(eventId(head() + 1), type, sender, 1, new RoomAtEvent("shared", 3, 0))
                    .stateKey(membership == null ? null : sender.value())
                    .membershipChange(membership == null ? null : new MembershipChange(membership, membership))
                    .redacts(redacts == 0 ? null : new RedactionTarget(eventId(redacts), redacts))
                    .thread(thread == null ? null : new EventId(thread))
                    .build();
            String stateKey = membership == null ? "" : ",\"state_key\":\"" + sender.value() + "\"";
            return new EventAppended(
                    meta,
                    "{\"content\":" + content + ",\"sender\":\"" + sender.value() + "\",\"type\":\"" + type + "\""
                            + stateKey + "}",
                    null,
                    null);
        }

        /** Push-service processes the log up to here, by the rules in force. */
        void push(long upto) {
            for (long pos = pushed + 1; pos <= upto; pos++) {
                if (log.get((int) pos - 1) instanceof Event event) {
                    verdicts.put(pos, verdict(event));
                }
            }
            pushed = Math.max(pushed, upto);
        }

        private Tally verdict(Event event) {
            if (event.sender.equals(ADA) || event.notice) {
                return Tally.NONE;
            }
            if (event.mention) {
                return new Tally(1, 1);
            }
            return heard.mutesBob && event.sender.equals(BOB) ? Tally.NONE : new Tally(1, 0);
        }

        /** The counts as of a position, by brute force. */
        Map<String, Tally> count(long upto, @Nullable CountsQuery asked) {
            long from = -1;
            var gone = new HashSet<Long>(asked == null ? List.of() : asked.redacted());
            var reads = new ArrayList<ReadTo>();
            if (asked != null) {
                asked.reads().forEach(read -> reads.add(new ReadTo(read.thread(), read.pos())));
            }
            for (long pos = 1; pos <= upto; pos++) {
                switch (log.get((int) pos - 1)) {
                    case Joined _ -> from = pos;
                    case Left _ -> from = -1;
                    case ReadTo read -> reads.add(read);
                    case Event event -> {
                        gone.add(event.redacts);
                        if (event.sender.equals(ADA)) {
                            reads.add(new ReadTo(event.thread, pos));
                        }
                    }
                }
            }
            var counts = new LinkedHashMap<String, Tally>();
            for (long pos = from + 1; from >= 0 && pos <= upto; pos++) {
                if (log.get((int) pos - 1) instanceof Event event
                        && !gone.contains(pos)
                        && !isRead(reads, event, pos)) {
                    var verdict = verdicts.containsKey(pos) ? verdicts.get(pos) : verdict(event);
                    if (verdict != null
                            && verdict.notifications() > 0
                            && !heard.ignored.contains(event.sender.value())) {
                        counts.merge(event.thread, verdict, Tally::plus);
                    }
                }
            }
            return counts;
        }

        private static boolean isRead(List<ReadTo> reads, Event event, long pos) {
            return reads.stream()
                    .anyMatch(read -> read.pos >= pos && (read.thread == null || read.thread.equals(event.thread)));
        }

        boolean isJoined() {
            return !(log.stream()
                            .filter(each -> each instanceof Joined || each instanceof Left)
                            .toList()
                            .getLast()
                    instanceof Left);
        }

        CountedRoom place() {
            return new CountedRoom(id, shard, joinedFrom, new Name(null), ring);
        }
    }

    void addRoom(int entriesMax) {
        rooms.add(new Room(rooms.size(), entriesMax));
    }

    Positions heads() {
        return Positions.of(rooms.stream().mapToLong(Room::head).toArray());
    }

    private View view(Positions now) {
        return new View(ADA, 1, now, 1, new CountSettings(rules(), settings.ignored, settings.at, settings.at), nanos);
    }

    void changeRules() {
        overtaken = view(heads());
        settings = new Settings(settings.at + 1, !settings.mutesBob, settings.ignored);
    }

    void changeIgnored() {
        overtaken = view(heads());
        var ignored = settings.ignored.isEmpty() ? Set.of(EVE.value()) : Set.<String>of();
        settings = new Settings(settings.at + 1, settings.mutesBob, ignored);
    }

    /** A slow request begins with an old view, during another request. */
    private void beginLate() {
        if (overtaken != null) {
            unread.begin(overtaken);
            overtaken = null;
        }
    }

    /** Push-service learns the settings. */
    void hear() {
        heard = settings;
    }

    private RulesText rules() {
        return new RulesText(ADA, rulesJson());
    }

    private String rulesJson() {
        return settings.mutesBob
                ? "{\"global\":{\"sender\":[{\"rule_id\":\"" + BOB.value()
                        + "\",\"default\":false,\"enabled\":true,\"actions\":[]}]}}"
                : "{\"global\":{}}";
    }

    /** The counts in an answer for some rooms; asks push-service if needed and available. */
    Map<RoomId, Counts> answer(Collection<Room> told, Positions upto, boolean away) {
        return answer(view(heads()), told, upto, away);
    }

    /** The same for a slow request, with the positions from before. */
    void answerLate(Collection<Room> told, Positions then) {
        answer(view(then), told, then, false);
    }

    private Map<RoomId, Counts> answer(View view, Collection<Room> told, Positions upto, boolean away) {
        unread.begin(view);
        beginLate();
        var looked = new HashSet<>(told);
        rooms.stream()
                .filter(room -> unread.doubtful().contains(room.id))
                .filter(Room::isJoined)
                .forEach(looked::add);
        looked.forEach(room -> unread.look(room.place(), upto.at(room.shard), judged));
        var toAsk = unread.toAsk(nanos);
        if (toAsk != null && !away) {
            unread.install(toAsk, told(toAsk, upto), this::places, judged);
        }
        var counts = new HashMap<RoomId, Counts>();
        told.forEach(room -> counts.put(room.id, unread.countsOf(room.place(), upto.at(room.shard), judged)));
        return counts;
    }

    private PushServiceCounts told(RoomsToAsk toAsk, Positions upto) {
        long[] at = upto.toArray();
        var counts = new HashMap<RoomId, Map<String, Tally>>();
        for (var room : rooms) {
            at[room.shard] = Math.min(room.pushed, at[room.shard]);
            var asked = toAsk.rooms() == null ? null : toAsk.rooms().get(room.id);
            var counted = room.count(at[room.shard], asked);
            if (asked != null || (toAsk.rooms() == null && !counted.isEmpty())) {
                counts.put(room.id, counted);
            }
        }
        var counted = Positions.of(rooms.stream().mapToLong(room -> room.pushed).toArray());
        return new PushServiceCounts(1, Positions.of(at), counts, counted, new UserLogPosition(1, heard.at));
    }

    private Map<RoomId, CountedRoom> places(Collection<RoomId> ids) {
        var places = new HashMap<RoomId, CountedRoom>();
        rooms.stream()
                .filter(room -> ids.contains(room.id) && room.isJoined())
                .forEach(room -> places.put(room.id, room.place()));
        return places;
    }
}
