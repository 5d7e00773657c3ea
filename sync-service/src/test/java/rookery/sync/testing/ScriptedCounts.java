// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.push.PushRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.push.Reader;
import rookery.platform.push.RoomFacts;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A scripted push-service: all users have default rules, and counts are computed by brute force. */
public final class ScriptedCounts {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ScriptedRooms rooms;
    private final Map<Integer, Long> stands = new HashMap<>();
    private volatile Set<String> ignored = Set.of();

    /** A read position, in one thread or (null) in all. */
    private record ReadMarker(@Nullable String thread, long pos) {}

    ScriptedCounts(ScriptedRooms rooms) {
        this.rooms = rooms;
    }

    /** Stops processing the shard at its present end. */
    public synchronized void stopAt(int shard) {
        stands.put(shard, rooms.log().heads()[shard]);
    }

    /** Continues processing. */
    public synchronized void goOn() {
        stands.clear();
    }

    /** Puts the user on everybody's ignore list. */
    public void ignore(UserId user) {
        ignored = Set.of(user.value());
    }

    synchronized Object answer(String path, Map<String, String> query, byte[] body) {
        return path.equals("/internal/counts")
                ? counts(JSON.readTree(body))
                : Map.of("global", Map.of("of", List.of("default", query.getOrDefault("user", ""))));
    }

    private Object counts(JsonNode question) {
        long[] upto = new long[question.path("upto").size()];
        for (int shard = 0; shard < upto.length; shard++) {
            long asked = question.path("upto").get(shard).longValue();
            upto[shard] = Math.min(asked, stands.getOrDefault(shard, Long.MAX_VALUE));
        }
        var user = new UserId(question.path("user").stringValue());
        var asked = new HashMap<String, JsonNode>();
        question.path("rooms").forEach(room -> asked.put(room.path("room_id").stringValue(), room));
        var told = new ArrayList<Map<String, Object>>();
        byRoom(upto).forEach((room, log) -> {
            boolean all = question.path("rooms").isNull();
            // unmentioned users have no counts; reading all rooms of all tests for each call is slow
            boolean isKnown = log.stream().anyMatch(entry -> user.equals(entry.subject()));
            var counts = isKnown
                            && log.getFirst().tenant().value()
                                    == question.path("tenant").intValue()
                    ? count(log, user, asked.get(room))
                    : Map.<String, int[]>of();
            if (asked.containsKey(room) || (all && !counts.isEmpty())) {
                told.add(Map.of("room_id", room, "threads", counts));
            }
        });
        return Map.of("epoch", rooms.log().epoch(), "positions", upto, "rooms", told);
    }

    private Map<String, List<LogRecord>> byRoom(long[] upto) {
        var byRoom = new LinkedHashMap<String, List<LogRecord>>();
        for (int shard = 0; shard < upto.length; shard++) {
            for (var entry : rooms.log().upto(shard, upto[shard])) {
                byRoom.computeIfAbsent(String.valueOf(entry.room()), _ -> new ArrayList<>())
                        .add(entry);
            }
        }
        var named = new LinkedHashMap<String, List<LogRecord>>();
        byRoom.values()
                .forEach(log -> named.put(
                        java.util.Objects.requireNonNull(log.getFirst().room()).value(), log));
        return named;
    }

    private Map<String, int[]> count(List<LogRecord> log, UserId user, @Nullable JsonNode asked) {
        long from = -1;
        var gone = new HashSet<String>();
        var reads = new ArrayList<ReadMarker>();
        if (asked != null) {
            asked.path("reads")
                    .forEach(read -> reads.add(new ReadMarker(
                            read.path("thread").asString(null), read.path("pos").longValue())));
        }
        for (var entry : log) {
            switch (RoomLogText.read(entry.kind(), entry.body())) {
                case null -> throw new IllegalArgumentException(entry.kind());
                case ListingSet _, RoomPurged _, DeviceListChanged _ -> {}
                case ReceiptsSet set ->
                    set.receipts().stream().filter(r -> r.user().equals(user)).forEach(r -> reads.add(read(r)));
                case EventAppended event -> {
                    var meta = event.meta();
                    if (meta.sender().equals(user)) {
                        reads.add(new ReadMarker(thread(event), entry.pos()));
                    }
                    if (meta.redacts() != null) {
                        gone.add(meta.redacts().eventId().value());
                    }
                    var change = meta.membershipChange();
                    if (change != null && user.value().equals(meta.stateKey())) {
                        boolean stays = change.before() == Membership.JOIN;
                        from = change.after() != Membership.JOIN ? -1 : stays ? from : entry.pos();
                    }
                }
            }
        }
        var counts = new LinkedHashMap<String, int[]>();
        for (var entry : log) {
            if (from >= 0
                    && entry.pos() > from
                    && RoomLogText.read(entry.kind(), entry.body()) instanceof EventAppended event
                    && !gone.contains(event.meta().eventId().value())
                    && !ignored.contains(event.meta().sender().value())
                    && reads.stream().noneMatch(read -> isRead(read, event, entry.pos()))) {
                add(counts, entry, event, user);
            }
        }
        return counts;
    }

    private static void add(Map<String, int[]> counts, LogRecord entry, EventAppended event, UserId user) {
        var room = java.util.Objects.requireNonNull(entry.room());
        var facts = new RoomFacts(event.meta().room().joined(), 0, Map.of());
        var verdict = PushRules.of(DefaultRules.of(user))
                .judge(PushedEvent.of(room, event.eventJson()), facts, new Reader(user, null));
        if (verdict.notifies()) {
            int[] tally = counts.computeIfAbsent(thread(event), _ -> new int[2]);
            tally[0]++;
            tally[1] += verdict.highlights() ? 1 : 0;
        }
    }

    private static ReadMarker read(Receipt receipt) {
        return new ReadMarker(receipt.thread(), receipt.pos());
    }

    private static boolean isRead(ReadMarker read, EventAppended event, long pos) {
        return read.pos >= pos && (read.thread == null || read.thread.equals(thread(event)));
    }

    private static String thread(EventAppended event) {
        return event.meta().thread() == null ? "main" : event.meta().thread().value();
    }
}
