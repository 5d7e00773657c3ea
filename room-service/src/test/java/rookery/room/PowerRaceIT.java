// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.model.event.RoomVersion;
import rookery.model.id.UserId;
import rookery.room.RoomServer.Answer;
import rookery.room.table.StoredEvent;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writers on two instances race for power in the same rooms, one of each room version; the result must equal a serial execution.
 *
 * <p>{@code -Drookery.races.seconds} is the duration of the race, 10 seconds by default.
 */
class PowerRaceIT {
    private static final int WRITERS = 20;
    private static final int ROOMS = RoomVersion.values().length;
    private static final int ACCEPTED_MIN = 500;
    private static final long SECONDS = Long.getLong("rookery.races.seconds", 10);
    private static final Duration PROGRESS = Duration.ofSeconds(30);
    private static final List<String> SCALARS = List.of("kick", "ban", "invite", "events_default", "users_default");

    @RegisterExtension
    static final RoomServer first = RoomServer.shared();

    private static RoomServer second;
    private static List<String> rooms;

    private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();

    @BeforeAll
    static void start() {
        second = first.another();
        rooms = Stream.of(RoomVersion.values()).map(PowerRaceIT::room).toList();
    }

    @AfterAll
    static void stop() {
        second.close();
    }

    private static String room(RoomVersion version) {
        var users = JsonMapper.shared().createObjectNode();
        int named = version.hasUnboundedCreators() ? 1 : 0;
        IntStream.range(named, WRITERS).forEach(i -> users.put(user(i), i == 0 ? 100 : 90 - 4 * i));
        var levels = JsonMapper.shared()
                .createObjectNode()
                .put("kick", 40)
                .put("ban", 50)
                .put("invite", 10);
        levels.set("users", users);
        levels.putObject("events").put("m.room.power_levels", 20).put("m.room.name", 30);
        String room = first.as("w0")
                .createRoom("{\"room_version\":\"" + version.id
                        + "\",\"preset\":\"public_chat\",\"power_level_content_override\":" + levels + "}");
        IntStream.range(1, WRITERS).forEach(i -> first.as("w" + i).post("/rooms/" + room + "/join", "{}"));
        return room;
    }

    private static String user(int i) {
        return "@w" + i + ":example.org";
    }

    @Test
    void whatRacesComesOutAsIfOneAfterTheOther() throws Exception {
        var end = Deadline.in(Duration.ofSeconds(SECONDS));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<java.util.concurrent.Future<?>>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                running.add(threads.submit(() -> write(writer, new Random(writer), end)));
            }
            while (!end.passed()) {
                if (Deadline.in(PROGRESS).until(Duration.ofMillis(100), end::passed)) {
                    break;
                }
                System.out.println("races go on: " + answers);
            }
            for (var one : running) {
                one.get();
            }
        }
        System.out.println("races are over: " + answers);

        var stored = new HashMap<String, Integer>();
        for (String room : rooms) {
            replay(room)
                    .forEach(
                            event -> stored.merge(event.event().meta().eventId().value(), 1, Integer::sum));
        }
        assertThat(stored.values()).containsOnly(1);
        assertThat(stored.keySet()).as("what was answered 200").containsAll(accepted);
        assertThat(rows("SELECT shard FROM room.log GROUP BY shard HAVING count(*) <> max(pos) - min(pos) + 1"))
                .as("shards with gaps")
                .isEmpty();
        assertThat(rows("SELECT s.shard FROM room.shard s WHERE s.pos <> coalesce("
                        + "(SELECT max(pos) FROM room.log l WHERE l.shard = s.shard), 0)"))
                .as("shards that count wrongly")
                .isEmpty();
        assertThat(rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .containsExactly(0L);
        assertThat(answers.keySet()).allMatch(kind -> kind.matches(".* (200|403 M_FORBIDDEN|403 M_BAD_STATE)"));
    }

    private void write(int writer, Random random, Deadline end) {
        for (int n = 0; !end.passed() || accepted.size() < ACCEPTED_MIN; n++) {
            var server = random.nextBoolean() ? first : second;
            var client = server.as("w" + writer);
            String path = "/rooms/" + rooms.get(random.nextInt(ROOMS));
            String other = "{\"user_id\":\"" + user(random.nextInt(WRITERS)) + "\"}";
            int dice = random.nextInt(100);
            if (dice < 35) {
                note("send", client.put(path + "/send/m.room.message/t" + n, "{\"body\":\"" + n + "\"}"));
            } else if (dice < 65) {
                changePower(client, path, random);
            } else if (dice < 70) {
                note("name", client.put(path + "/state/m.room.name", "{\"name\":\"" + writer + " " + n + "\"}"));
            } else if (dice < 80) {
                note("kick", client.post(path + "/kick", other));
            } else if (dice < 83) {
                note("ban", client.post(path + "/ban", other));
            } else if (dice < 88) {
                note("unban", client.post(path + "/unban", other));
            } else if (dice < 92) {
                note("invite", client.post(path + "/invite", other));
            } else {
                note("join", client.post(path + "/join", "{}"));
            }
        }
    }

    /** Reads the levels, changes one and writes them back, as moderators do; other writers may be faster. */
    private void changePower(RoomServer.Client client, String path, Random random) {
        var read = client.get(path + "/state/m.room.power_levels");
        if (read.status() != 200) {
            note("read", read);
            return;
        }
        var levels = (ObjectNode) read.json().deepCopy();
        if (random.nextInt(4) == 0) {
            levels.put(SCALARS.get(random.nextInt(SCALARS.size())), random.nextInt(60));
        } else {
            var users = (ObjectNode) Objects.requireNonNull(levels.get("users"));
            users.put(user(1 + random.nextInt(WRITERS - 1)), random.nextInt(95));
        }
        // powerless writers get power again, or the race would soon be over
        if (client.user.equals(user(0))) {
            var users = (ObjectNode) Objects.requireNonNull(levels.get("users"));
            users.put(user(1 + random.nextInt(WRITERS - 1)), 60 + random.nextInt(30));
        }
        note("power", client.put(path + "/state/m.room.power_levels", levels.toString()));
    }

    private void note(String what, Answer answer) {
        String kind = what + " " + answer.status() + (answer.status() == 200 ? "" : " " + answer.errcode());
        answers.computeIfAbsent(kind, _ -> new AtomicLong()).incrementAndGet();
        if (answer.status() == 200 && answer.json().has("event_id") && !what.equals("read")) {
            accepted.add(answer.text("event_id"));
        }
    }

    private static List<StoredEvent> replay(String room) {
        var events = Objects.requireNonNull(first.bean(DatabaseClient.class)
                .sql("SELECT pos, body FROM room.log_entry WHERE tenant = 1 AND room_id = :room ORDER BY pos")
                .bind("room", room)
                .map(PowerRaceIT::event)
                .all()
                .collectList()
                .block());
        var replayed = new ReplayedRoom();
        events.forEach(replayed::take);
        var users = new HashSet<String>();
        first.as("w0").get("/rooms/" + room + "/members").json().path("chunk").forEach(member -> {
            var user = new UserId(member.path("state_key").asString());
            users.add(user.value());
            assertThat(member.path("content").path("membership").asString()).isEqualTo(replayed.membership(user).word);
        });
        assertThat(users).isNotEmpty();
        assertThat(rows("SELECT joined::bigint FROM room.room WHERE room_id = '" + room + "'"))
                .containsExactly(replayed.joined());
        return events;
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(
                Objects.requireNonNull(row.get("pos", Long.class)),
                Objects.requireNonNull(row.get("body", String.class)));
    }

    private static List<Long> rows(String sql) {
        return Objects.requireNonNull(first.bean(DatabaseClient.class)
                .sql(sql)
                .map(row -> ((Number) Objects.requireNonNull(row.get(0))).longValue())
                .all()
                .collectList()
                .block());
    }
}
