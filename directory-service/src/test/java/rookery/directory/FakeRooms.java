// SPDX-License-Identifier: Apache-2.0
package rookery.directory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;
import tools.jackson.databind.json.JsonMapper;

/** Stands in for room-service: memberships in the test's rooms, and a log with two used shards. */
public final class FakeRooms implements AutoCloseable {
    private static final int SHARDS = Shards.COUNT;
    private static final int USED_SHARD = 3;
    private static final int OTHER_SHARD = 5;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    /** The membership of a user in a room, by tenant, room and user. */
    private final Map<String, String> members = new ConcurrentHashMap<>();

    private final Map<String, Boolean> worldReadable = new ConcurrentHashMap<>();
    private final List<LogRecord> log = new CopyOnWriteArrayList<>();
    private final List<String> forgotten = new CopyOnWriteArrayList<>();
    private final Map<String, String> predecessors = new ConcurrentHashMap<>();
    private final AtomicLong epoch = new AtomicLong(1);

    public FakeRooms() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Creates the room without an entry in the log. */
    public void make(int tenant, String room, boolean readable) {
        worldReadable.put(tenant + room, readable);
    }

    public void join(int tenant, String room, String user, int power) {
        members.put(tenant + room + user, "\"member\":\"join\",\"power\":" + power);
    }

    /** The aliases that room-service was asked to remove from canonical aliases. */
    public List<String> forgotten() {
        return forgotten;
    }

    /** Appends the create event of a room to the log. */
    public void tellMade(int tenant, String room) {
        tell(tenant, room, "m.room.create");
    }

    /** Appends the create event of a room that claims a predecessor. */
    public void tellSuccessor(int tenant, String predecessor, String room) {
        tell(tenant, room, "m.room.create", "{\"content\":{\"predecessor\":{\"room_id\":\"" + predecessor + "\"}}}");
    }

    /** Confirms the predecessor, which only room-service can do. */
    public void upgrade(int tenant, String predecessor, String room) {
        predecessors.put(tenant + room, predecessor);
    }

    public void tell(int tenant, String room, String type) {
        tell(tenant, room, type, "{}");
    }

    private void tell(int tenant, String room, String type, String event) {
        var sender = new UserId("@ada:one.example");
        var meta = EventMeta.builder(new EventId("$event"), type, sender, 1, new RoomAtEvent("shared", 1, 0))
                .stateKey("")
                .build();
        tellRaw(tenant, room, RoomLogText.write(new EventAppended(meta, event, null, null)));
    }

    /** Appends an entry with any body, such as an unreadable one. */
    public void tellRaw(int tenant, String room, String body) {
        tellRaw(USED_SHARD, tenant, room, body);
    }

    /** Appends the create event of a room of another shard. */
    public void tellMadeElsewhere(int tenant, String room) {
        tellMade(tenant, room);
        var made = log.removeLast();
        tellRaw(OTHER_SHARD, tenant, room, made.body());
    }

    private void tellRaw(int shard, int tenant, String room, String body) {
        log.add(new LogRecord(
                shard,
                epoch.get(),
                head(shard) + 1,
                RoomLogRecord.EVENT,
                true,
                new TenantId(tenant),
                new RoomId(room),
                null,
                body));
    }

    /** The state after restoring the owner's database to an empty one. */
    public void restoreToNothing() {
        log.clear();
        epoch.incrementAndGet();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        var query = query(exchange.getRequestURI().getRawQuery());
        String answer;
        if (path.equals("/internal/log/heads")) {
            long[] heads = new long[SHARDS];
            heads[USED_SHARD] = head(USED_SHARD);
            heads[OTHER_SHARD] = head(OTHER_SHARD);
            answer = JSON.writeValueAsString(Map.of("epoch", epoch.get(), "positions", heads));
        } else if (path.startsWith("/internal/log/")) {
            answer = range(
                    Integer.parseInt(path.substring("/internal/log/".length())), query.getOrDefault("after", "0"));
        } else if (path.endsWith("/aliases/forget")) {
            forgotten.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer = "{}";
        } else if (path.endsWith("/predecessor")) {
            answer = predecessor(query.get("tenant") + path.split("/", -1)[3]);
        } else {
            answer = facts(query.get("tenant") + path.split("/", -1)[3], query.getOrDefault("user", ""));
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.contains("errcode") ? 404 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String range(int shard, String after) {
        var entries = log.stream()
                .filter(entry -> entry.shard() == shard && entry.pos() > Long.parseLong(after))
                .toList();
        long head = head(shard);
        return JSON.writeValueAsString(
                Map.of("epoch", epoch.get(), "entries", entries, "number", 0, "covered_to", head, "head", head));
    }

    private long head(int shard) {
        return log.stream().filter(entry -> entry.shard() == shard).count();
    }

    private String predecessor(String room) {
        String predecessor = predecessors.get(room);
        return predecessor == null
                ? "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"none\"}"
                : "{\"room_id\":\"" + predecessor + "\"}";
    }

    private String facts(String room, String user) {
        var readable = worldReadable.get(room);
        if (readable == null) {
            return "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"no such room\"}";
        }
        return "{\"exists\":true,\"shard\":3,%s,\"power_for\":{\"m.room.canonical_alias\":50},\"world_readable\":%s}"
                .formatted(members.getOrDefault(room + user, "\"member\":\"leave\",\"power\":0"), readable);
    }

    private static Map<String, String> query(String raw) {
        var all = new ConcurrentHashMap<String, String>();
        if (raw != null) {
            for (var pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                all.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
