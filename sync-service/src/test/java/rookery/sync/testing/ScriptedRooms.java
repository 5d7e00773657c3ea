// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.testing.ScriptedLog.Draft;
import rookery.sync.testing.ScriptedRoom.Entry;
import rookery.sync.testing.ScriptedService.Lines;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A scripted room-service: rooms with shared history, their log, and answers to sync-service by brute force. */
public final class ScriptedRooms {
    private static final JsonMapper JSON = JsonMapper.shared();
    private final ScriptedLog log = new ScriptedLog();
    private final Map<RoomId, ScriptedRoom> rooms = new LinkedHashMap<>();
    private final ScriptedReceipts receipts = new ScriptedReceipts();
    private final Consumer<List<LogRecord>> publisher;
    private int names;
    /** The number of lines of an answer before the service dies. */
    public volatile int linesMax = Integer.MAX_VALUE;
    /** Whether the service finds no member events. */
    public volatile boolean lacksMembers;

    ScriptedRooms(Consumer<List<LogRecord>> publisher) {
        this.publisher = publisher;
    }

    public ScriptedLog log() {
        return log;
    }

    /** A room with a creator, made in one unit. */
    private synchronized RoomId create(
            TenantId tenant, Consumer<List<LogRecord>> announce, int shard, UserId creator, UserId... others) {
        var room = new RoomId("!room" + names++ + "ofthescript:"
                + creator.value().substring(creator.value().indexOf(':') + 1));
        rooms.put(room, new ScriptedRoom(tenant, shard));
        var unit = new ArrayList<EventAppended>();
        unit.add(Events.state(name(), "m.room.create", "", creator));
        unit.add(Events.member(name(), creator, creator, Membership.LEAVE, Membership.JOIN, 1, 0));
        for (var other : others) {
            unit.add(Events.member(name(), other, other, Membership.LEAVE, Membership.JOIN, unit.size(), 0));
        }
        append(room, unit, announce);
        return room;
    }

    public RoomId create(TenantId tenant, int shard, UserId creator, UserId... others) {
        return create(tenant, publisher, shard, creator, others);
    }

    public RoomId create(int shard, UserId creator, UserId... others) {
        return create(new TenantId(1), shard, creator, others);
    }

    /** A room that Kafka does not announce. */
    public RoomId createUnannounced(int shard, UserId creator) {
        return create(new TenantId(1), _ -> {}, shard, creator);
    }

    public void send(RoomId room, UserId sender, String name) {
        send(room, sender, name, publisher);
    }

    /** Sends an event, and announces the records in the given way. */
    public void send(RoomId room, UserId sender, String name, Consumer<List<LogRecord>> announce) {
        append(room, List.of(Events.message(name, sender)), announce);
    }

    public void send(RoomId room, EventAppended event) {
        append(room, List.of(event), publisher);
    }

    public void state(RoomId room, UserId sender, String type, String name) {
        append(room, List.of(Events.state(name, type, "", sender)), publisher);
    }

    /** A receipt of a member. */
    public synchronized void receipt(RoomId room, UserId user, String type, String name, @Nullable String thread) {
        var known = Objects.requireNonNull(rooms.get(room));
        publisher.accept(receipts.append(log, known.shard, known.tenant, room, user, type, Events.id(name), thread));
    }

    public synchronized void member(RoomId room, UserId sender, UserId user, Membership after) {
        var known = Objects.requireNonNull(rooms.get(room));
        var before = known.membership(user, Long.MAX_VALUE);
        int joined = known.members(Membership.JOIN).size() + delta(before, after, Membership.JOIN);
        int invited = known.members(Membership.INVITE).size() + delta(before, after, Membership.INVITE);
        append(room, List.of(Events.member(name(), sender, user, before, after, joined, invited)), publisher);
    }

    private static int delta(Membership before, Membership after, Membership counted) {
        return (after == counted ? 1 : 0) - (before == counted ? 1 : 0);
    }

    private synchronized String name() {
        return "made" + names++;
    }

    private synchronized void append(RoomId room, List<EventAppended> unit, Consumer<List<LogRecord>> announce) {
        var known = Objects.requireNonNull(rooms.get(room));
        var drafts = unit.stream()
                .map(event -> new Draft(
                        RoomLogRecord.EVENT,
                        known.tenant,
                        room,
                        event.meta().membership() == null
                                ? null
                                : new UserId(Objects.requireNonNull(event.meta().stateKey())),
                        RoomLogText.write(event)))
                .toList();
        var records = log.append(known.shard, drafts);
        for (int i = 0; i < unit.size(); i++) {
            known.entries.add(new Entry(records.get(i).pos(), unit.get(i)));
        }
        announce.accept(records);
    }

    /** A change of the user's devices or keys: an entry in each shard with rooms of the user. */
    public synchronized void changeDevices(UserId user) {
        new ScriptedDeviceLists(rooms, log).change(user).forEach(publisher);
    }

    /** Drops the content that the log has lost. */
    public synchronized void forgetLost() {
        long[] heads = log.heads();
        rooms.values().forEach(room -> room.entries.removeIf(entry -> entry.pos() > heads[room.shard]));
    }

    synchronized Object answer(String path, Map<String, String> query, byte[] body) {
        if (path.equals("/internal/log/heads")) {
            return log.headsAnswer();
        }
        if (path.startsWith("/internal/log/")) {
            int shard = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            return log.rangeAnswer(shard, Long.parseLong(query.getOrDefault("after", "0")), 200);
        }
        if (path.endsWith("/memberships")) {
            return memberships(query, new UserId(path.split("/", -1)[3]));
        }
        if (path.equals("/internal/device-lists")) {
            return new ScriptedDeviceLists(rooms, log).answer(JSON.readTree(body));
        }
        if (path.equals("/internal/rooms/activity")) {
            return Map.of("rooms", List.of()); // the node takes rooms without activity for purged ones
        }
        if (path.equals("/internal/sync/members")) {
            return members(JSON.readTree(body).path("members"));
        }
        if (path.equals("/internal/sync")) {
            return sync(JSON.readTree(body));
        }
        throw new IllegalArgumentException(path);
    }

    private Object memberships(Map<String, String> query, UserId user) {
        var after = query.containsKey("after") ? query.get("after").split(",", -1) : null;
        var list = new ArrayList<Map<String, Object>>();
        rooms.forEach((id, room) -> {
            var membership = room.membership(user, Long.MAX_VALUE);
            long pos = room.memberPos(user, Long.MAX_VALUE);
            boolean isNews = after != null && pos > Long.parseLong(after[room.shard]);
            boolean isInside = membership != Membership.LEAVE && membership != Membership.BAN;
            if (Integer.toString(room.tenant.value()).equals(query.get("tenant")) && (isInside || isNews)) {
                var entry = new LinkedHashMap<String, Object>();
                entry.put("room_id", id.value());
                entry.put("shard", room.shard);
                entry.put("membership", membership.word);
                entry.put("pos", pos);
                entry.put("joined_from", isInside ? room.joinedFrom(user, Long.MAX_VALUE) : pos);
                if (membership == Membership.JOIN) {
                    entry.put("earlier", room.earlier(user));
                }
                list.add(entry);
            }
        });
        return Map.of("epoch", log.epoch(), "positions", log.heads(), "rooms", list);
    }

    private Object members(JsonNode wanted) {
        var list = new ArrayList<Map<String, Object>>();
        for (var member : lacksMembers ? List.<JsonNode>of() : wanted) {
            var room = Objects.requireNonNull(
                    rooms.get(new RoomId(member.path("room").stringValue())));
            long pos = room.memberPos(
                    new UserId(member.path("user").stringValue()),
                    member.path("place").longValue());
            room.entries.stream()
                    .filter(entry -> entry.pos() == pos)
                    .forEach(entry -> list.add(Map.of(
                            "room_id",
                            member.path("room").stringValue(),
                            "events",
                            List.of(Map.of("pos", pos, "body", RoomLogText.write(entry.event()))))));
        }
        return Map.of("epoch", log.epoch(), "rooms", list);
    }

    private Object sync(JsonNode question) {
        long[] upto = question.has("upto") ? positions(question.path("upto")) : log.heads();
        long @Nullable [] since = question.has("since") ? positions(question.path("since")) : null;
        Set<String> only = new LinkedHashSet<>();
        question.path("rooms").forEach(room -> only.add(room.stringValue()));
        var filter = JSON.treeToValue(question.path("filter"), RoomFilter.class);
        Set<String> ignored = new LinkedHashSet<>();
        question.path("ignored").forEach(user -> ignored.add(user.stringValue()));
        var user = new UserId(question.path("user").stringValue());
        boolean full = question.path("full_state").booleanValue();
        int tenant = question.path("tenant").intValue();
        var sections = new ArrayList<Map<String, Object>>();
        rooms.forEach((id, room) -> {
            boolean asked = !question.has("rooms") || only.contains(id.value());
            if (asked && room.tenant.value() == tenant && filter.passesRoom(id)) {
                var section = new Oracle(id, room, user, filter, ignored, full)
                        .section(since == null ? null : since[room.shard], upto[room.shard]);
                if (section != null) {
                    sections.add(section);
                }
            }
        });
        rooms.forEach((id, room) -> {
            boolean asked = filter.passesRoom(id) && (!question.has("rooms") || only.contains(id.value()));
            long to = upto[room.shard];
            if (asked && room.tenant.value() == tenant && room.membership(user, to) == Membership.JOIN) {
                long after = since == null || room.joinedFrom(user, to) > since[room.shard] ? 0 : since[room.shard];
                ScriptedReceipts.add(sections, id, room.shard, after, receipts.between(id, after, to, user, filter));
            }
        });
        return Lines.of(Map.of("epoch", log.epoch(), "positions", upto), sections, linesMax);
    }

    static long[] positions(JsonNode node) {
        long[] positions = new long[node.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = node.get(i).longValue();
        }
        return positions;
    }

    /** The expected content of a room in an answer (contract.md 10.4), by brute force. */
    private record Oracle(
            RoomId id, ScriptedRoom room, UserId user, RoomFilter filter, Set<String> ignored, boolean full) {
        @Nullable
        Map<String, Object> section(@Nullable Long since, long upto) {
            var membership = room.membership(user, upto);
            long pos = room.memberPos(user, upto);
            boolean changed = since == null || pos > since;
            return switch (membership) {
                case JOIN -> joined(since, upto);
                case INVITE, KNOCK -> changed ? stripped(membership, pos) : null;
                case LEAVE, BAN -> since != null && pos > since ? left(since, pos) : null;
            };
        }

        private Map<String, Object> stripped(Membership membership, long pos) {
            var section = begin(membership.word);
            room.entries.stream()
                    .filter(entry -> entry.pos() == pos)
                    .forEach(entry -> section.put(
                            "stripped", Objects.requireNonNullElse(entry.event().strippedStateJson(), "[]")));
            return section;
        }

        private Map<String, Object> left(long since, long pos) {
            var shown = room.entries.stream()
                    .filter(entry -> entry.pos() > since && entry.pos() <= pos)
                    .toList();
            var section = begin("leave");
            section.put("timeline", lines(shown));
            section.put("limited", false);
            section.put("prev_pos", shown.getFirst().pos() - 1);
            section.put("state", List.of());
            return section;
        }

        private @Nullable Map<String, Object> joined(@Nullable Long since, long upto) {
            boolean isNew = since == null || room.joinedFrom(user, upto) > since;
            long from = isNew ? 0 : Objects.requireNonNull(since);
            var range = room.entries.stream()
                    .filter(entry -> entry.pos() > from && entry.pos() <= upto)
                    .toList();
            var passing = range.stream().filter(this::shows).toList();
            int most = filter.timelineLimit();
            boolean limited = passing.size() > most;
            var shown = limited ? passing.subList(passing.size() - most, passing.size()) : passing;
            long first = shown.isEmpty() ? Long.MAX_VALUE : shown.getFirst().pos();
            var state = new LinkedHashMap<String, Entry>();
            for (var entry : isNew || full ? room.entries : range) {
                var key = key(entry);
                boolean early = (isNew || full || limited) && entry.pos() < first;
                boolean removed = !shown.contains(entry)
                        && shown.stream()
                                .noneMatch(later -> later.pos() > entry.pos() && Objects.equals(key(later), key));
                if (key != null && entry.pos() <= upto && (early || removed) && passesState(entry)) {
                    state.remove(key); // the last event decides, also about the order
                    state.put(key, entry);
                }
            }
            boolean summed = isNew
                    || full
                    || range.stream()
                            .map(entry -> entry.event().meta().membershipChange())
                            .anyMatch(change -> change != null && change.before() != change.after());
            if (!summed && shown.isEmpty() && state.isEmpty()) {
                return null;
            }
            var section = begin("join");
            section.put("timeline", lines(shown));
            section.put("limited", limited);
            section.put("prev_pos", shown.isEmpty() ? from : first - 1);
            section.put("state", lines(List.copyOf(state.values())));
            if (summed) {
                section.put("summary", summary());
            }
            return section;
        }

        private Map<String, Object> summary() {
            var others = new ArrayList<UserId>(room.members(Membership.JOIN));
            others.addAll(room.members(Membership.INVITE));
            others.remove(user);
            return Map.of(
                    "joined", room.members(Membership.JOIN).size(),
                    "invited", room.members(Membership.INVITE).size(),
                    "heroes", others.stream().limit(5).map(UserId::value).toList());
        }

        private static @Nullable String key(Entry entry) {
            var meta = entry.event().meta();
            return meta.stateKey() == null ? null : meta.type() + "|" + meta.stateKey();
        }

        private boolean shows(Entry entry) {
            var meta = entry.event().meta();
            return filter.timeline().passes(meta.type(), meta.sender(), meta.url())
                    && (meta.stateKey() != null
                            || !ignored.contains(meta.sender().value()));
        }

        private boolean passesState(Entry entry) {
            var meta = entry.event().meta();
            return filter.state().passes(meta.type(), meta.sender(), meta.url());
        }

        private Map<String, Object> begin(String section) {
            var map = new LinkedHashMap<String, Object>();
            map.put("room_id", id.value());
            map.put("shard", room.shard);
            map.put("section", section);
            return map;
        }

        private List<Map<String, Object>> lines(List<Entry> entries) {
            return entries.stream()
                    .map(entry -> Map.<String, Object>of(
                            "pos",
                            entry.pos(),
                            "body",
                            RoomLogText.write(entry.event()),
                            "membership",
                            room.membership(user, entry.pos()).word,
                            "saw_previous",
                            true))
                    .toList();
        }
    }
}
