package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import rookery.embedded.Database;
import rookery.embedded.EmbeddedPostgres;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.push.PushRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.push.Reader;
import rookery.platform.push.RoomFacts;
import rookery.program.Program;
import rookery.push.count.UserChanges.RulesSet;
import tools.jackson.databind.json.JsonMapper;

/** What {@code deploy/bench/push} runs: what judging, counting and pushing a message cost, by the size of its room. */
public final class PushApplication {
    private static final String BINARIES = "rookery.binaries";
    private static final String DATABASE = "bench";
    private static final String SERVICE = "push-service";
    private static final TenantId TENANT = new TenantId(1);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int MENTIONS = 10;
    private static final int WITH_RULES = 100; // one of so many
    private static final int WITH_PUSHER = 10;
    private static final int BODY_CHARACTERS = 120;
    private static final int IN_TURN = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration EVALUATING = Duration.ofSeconds(10);
    private static final double CENT = 100;

    private static final String FILL = """
            INSERT INTO push.member
            SELECT 1, 'ROOM', '@m' || n || 'ofMEMBERS:bench.example', SHARD, 0, 'Member ' || n, 0, 0, false, false
              FROM generate_series(0, MEMBERS - 1) n
            """;

    private static final String FILL_COHORT = """
            INSERT INTO push.room_cohort VALUES (1, 'ROOM', 0, MEMBERS)
            """;

    private static final String FILL_PUSHERS = """
            INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)
            SELECT 1, '@m' || n || 'ofMEMBERS:bench.example', 'app', 'key' || n, 'D', 'https://gateway.example/', 'https://gateway.example',
                   '{}', 'epoch', 'epoch'
              FROM generate_series(0, MEMBERS - 1, STEP) n
            """;

    private static final String FLAG_PUSHERS = """
            UPDATE push.member SET pushers = true WHERE (tenant, user_id) IN (SELECT tenant, user_id FROM push.pusher)
            """;

    private final PushOptions options;
    private final CountingService counting;
    private final Database database;
    private final Prose prose = new Prose(new SecureRandom());
    private final SecureRandom random = new SecureRandom();
    private long ids;

    private record Room(int shard, int members) {
        RoomId id() {
            return new RoomId("!r%d:bench.example".formatted(members));
        }

        UserId member(int n) {
            return new UserId("@m%dof%d:bench.example".formatted(n, members));
        }
    }

    /** What a message took. */
    private record Cost(double wallMillis, double cpuMillis) {}

    private PushApplication(PushOptions options, Database database) {
        this.options = options;
        this.database = database;
        this.counting = new CountingService(database);
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/push", PushOptions.HELP, new PushOptions(), arguments, options -> {
            measure(options);
            return true;
        });
    }

    private static void measure(PushOptions options) throws IOException {
        var folder = Files.createTempDirectory("rookery-bench-push");
        try (var postgres =
                EmbeddedPostgres.start(folder.resolve("pg"), Path.of(System.getProperty(BINARIES, "target/servers")))) {
            Migrations.createDatabase(postgres.superuser(), DATABASE);
            var database = Migrations.apply(postgres.superuser(DATABASE), SERVICE, "bench");
            new PushApplication(options, database).run();
        } finally {
            Folders.delete(folder);
        }
    }

    private void run() throws IOException {
        evaluate();
        var rooms = new ArrayList<Room>();
        for (int size : options.sizes) {
            rooms.add(room(rooms.size(), size));
        }
        database.execute("ANALYZE push.member", "ANALYZE push.rule_term", "ANALYZE push.reader");
        System.out.println("warming up for %d s".formatted(options.warmUp.toSeconds()));
        long until = System.nanoTime() + options.warmUp.toNanos();
        while (System.nanoTime() - until < 0) {
            send(rooms, IN_TURN);
        }
        var counted = costs(rooms);
        report("judging and counting", rooms, counted);
        database.execute(FLAG_PUSHERS);
        send(rooms, IN_TURN);
        var pushed = costs(rooms);
        report("with pushes", rooms, pushed);
        for (var room : rooms) {
            int pushes = (room.members + WITH_PUSHER - 1) / WITH_PUSHER;
            double millis = cost(pushed, room).cpuMillis - cost(counted, room).cpuMillis;
            System.out.println("push to one of %6d members: %8.4f ms CPU (%d pushes for each message)"
                    .formatted(room.members, millis / pushes, pushes));
        }
        counting.close();
    }

    private Room room(int shard, int members) throws IOException {
        var room = new Room(shard, members);
        database.execute(sql(FILL, room), sql(FILL_COHORT, room), sql(FILL_PUSHERS, room));
        var rules = new ArrayList<RulesSet>();
        for (int n = 0; n < members; n += WITH_RULES) {
            rules.add(new RulesSet(new TenantUser(TENANT, room.member(n)), 1, 1, rules(room, n)));
        }
        counting.rules(rules).block(PATIENCE);
        return room;
    }

    private static String sql(String statement, Room room) {
        return statement
                .replace("ROOM", room.id().value())
                .replace("MEMBERS", Integer.toString(room.members))
                .replace("SHARD", Integer.toString(room.shard))
                .replace("STEP", Integer.toString(WITH_PUSHER));
    }

    /** A third has a keyword, a third has muted the room, a third wants to hear of somebody. */
    private static String rules(Room room, int n) {
        var rule = new LinkedHashMap<String, Object>(Map.of("default", false, "enabled", true));
        int third = n / WITH_RULES % 3;
        rule.put("actions", third == 1 ? List.of() : List.of("notify", Map.of("set_tweak", "highlight")));
        switch (third) {
            case 0 -> {
                rule.put("rule_id", "word");
                rule.put("pattern", "keyword" + n);
            }
            case 1 -> rule.put("rule_id", room.id().value());
            default -> rule.put("rule_id", room.member(n - 1).value());
        }
        var kind = List.of("content", "room", "sender").get(third);
        return JSON.writeValueAsString(Map.of("global", Map.of(kind, List.of(rule))));
    }

    private Map<Room, List<Cost>> costs(List<Room> rooms) {
        var costs = new LinkedHashMap<Room, List<Cost>>();
        for (int round = 0; round < options.messages; round += IN_TURN) {
            for (var room : rooms) {
                double cpu = cpuSeconds();
                long begun = System.nanoTime();
                send(List.of(room), IN_TURN);
                double wall = (System.nanoTime() - begun) / 1e6 / IN_TURN;
                costs.computeIfAbsent(room, _ -> new ArrayList<>())
                        .add(new Cost(wall, (cpuSeconds() - cpu) * 1e3 / IN_TURN));
            }
        }
        return costs;
    }

    /** Of this process and of PostgreSQL, which is its child. */
    private static double cpuSeconds() {
        return ProcFiles.cpuSeconds(ProcessHandle.current().pid());
    }

    private static Cost cost(Map<Room, List<Cost>> costs, Room room) {
        var all = costs.getOrDefault(room, List.of());
        return new Cost(
                all.stream().mapToDouble(Cost::wallMillis).average().orElse(0),
                all.stream().mapToDouble(Cost::cpuMillis).average().orElse(0));
    }

    private static void report(String what, List<Room> rooms, Map<Room, List<Cost>> costs) {
        var least = cost(costs, rooms.getFirst());
        for (var room : rooms) {
            var cost = cost(costs, room);
            System.out.println("%-20s a message among %6d: %7.3f ms CPU, %7.3f ms; %5.2f and %5.2f times the smallest"
                    .formatted(
                            what,
                            room.members,
                            cost.cpuMillis,
                            cost.wallMillis,
                            cost.cpuMillis / least.cpuMillis,
                            cost.wallMillis / least.wallMillis));
        }
    }

    private void send(List<Room> rooms, int each) {
        for (var room : rooms) {
            for (int i = 0; i < each; i++) {
                counting.count(message(room));
            }
        }
    }

    private LogRecord message(Room room) {
        var sender = room.member(random.nextInt(room.members));
        var mentioned = new TreeSet<String>();
        for (int i = 0; i < MENTIONS; i++) {
            mentioned.add(room.member(random.nextInt(room.members)).value());
        }
        var id = new EventId("$b" + ids++);
        var content = Map.of(
                "msgtype", "m.text", "body", prose.text(BODY_CHARACTERS), "m.mentions", Map.of("user_ids", mentioned));
        var event =
                Map.of("type", "m.room.message", "sender", sender.value(), "event_id", id.value(), "content", content);
        long now = Clock.systemUTC().millis();
        var meta = EventMeta.builder(id, "m.room.message", sender, now, new RoomAtEvent("shared", room.members, 0))
                .build();
        return new LogRecord(
                room.shard,
                1,
                counting.next(room.shard),
                RoomLogRecord.EVENT,
                true,
                TENANT,
                room.id(),
                null,
                RoomLogText.write(new EventAppended(meta, JSON.writeValueAsString(event), null, null)));
    }

    /** Verdicts in a second of one thread: of the default rules, about messages as they are sent here. */
    private void evaluate() {
        var room = new Room(0, (int) CENT);
        var rules = PushRules.of(DefaultRules.of(room.member(1)));
        var reader = new Reader(room.member(1), "Member 1");
        var facts = new RoomFacts(room.members, 0, Map.of());
        var events = new ArrayList<PushedEvent>();
        for (int i = 0; i < IN_TURN; i++) {
            if (RoomLogText.read(RoomLogRecord.EVENT, message(room).body()) instanceof EventAppended event) {
                events.add(PushedEvent.of(room.id(), event.eventJson()));
            }
        }
        for (var phase : List.of("warm-up", "measured")) {
            long verdicts = 0;
            long notified = 0;
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < EVALUATING.toNanos()) {
                for (var event : events) {
                    notified += rules.judge(event, facts, reader).notifies() ? 1 : 0;
                    verdicts++;
                }
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            System.out.println("verdicts of one thread, %s: %,.0f a second (%.0f %% notify)"
                    .formatted(phase, verdicts / seconds, CENT * notified / verdicts));
        }
    }
}
