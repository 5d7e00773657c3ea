// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.load.Crowd;
import rookery.e2e.restore.Member.AnswerKind;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;
import rookery.embedded.Deadline;
import rookery.embedded.Folders;

/**
 * The program behind {@code deploy/e2e/restore}, a drill: clients send messages during and after a backup; then everything is
 * stopped, the backup is restored into a new folder, and all clients return with their tokens. Half of the clients stopped
 * syncing before the backup and must continue. The others know events after the backup and must start with a full sync. In the
 * end every client has the restored rooms with all later events.
 */
public final class DrillApplication {
    private static final List<String> TENANTS = List.of("localhost", Trial.OTHER_TENANT);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration AFTERWARDS = Duration.ofSeconds(3);
    /** The folder of the operators' scripts. */
    private static final Path DEPLOY =
            Path.of(System.getProperty("rookery.deploy", "deploy")).toAbsolutePath();

    private final Options options;
    private final Trial trial;
    private final Path original;
    private final Path restored;
    private final Path backup;
    private final List<String> faults = new ArrayList<>();

    /** The users of a tenant. */
    private record TenantUsers(String tenant, List<String> rooms, List<Member> early, List<Member> late) {
        List<Member> all() {
            var all = new ArrayList<>(early);
            all.addAll(late);
            return all;
        }

        List<Session> sessions() {
            return all().stream().map(Member::session).toList();
        }
    }

    /** The record of the time before the restore. */
    private record BeforeRestore(RoomRecord record, List<String> acceptedBefore, Session newcomer) {}

    private DrillApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
        this.original = trial.data().resolve("original");
        this.restored = trial.data().resolve("restored");
        this.backup = trial.data().resolve("backup.zip");
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "restore",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new DrillApplication(options, trial).play());
    }

    private boolean play() throws IOException {
        Folders.delete(trial.data());
        Folders.make(trial.data());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<TenantUsers> circles;
            BeforeRestore before;
            try (var rookery = Rookery.start(plan(original))) {
                trial.say("ready on port " + rookery.plan().port());
                circles = gathered(rookery);
                before = live(rookery, circles, threads);
            }
            trial.say("everything is stopped");
            trial.say(Script.run(words("restore", backup.toString(), "--data", restored.toString())));
            try (var rookery = Rookery.start(plan(restored))) {
                trial.say("ready again");
                judge(rookery, circles, before);
            }
        } finally {
            Folders.delete(trial.data());
        }
        return trial.judge(faults, "RESTORED", "all clients have returned");
    }

    private Plan plan(Path data) {
        var plan = Plan.of(DEPLOY.resolve("run"), data).tenants(Trial.OTHER_TENANT);
        return options.cluster == null ? plan : plan.cluster(options.cluster);
    }

    private List<String> words(String script, String... more) {
        var words = new ArrayList<>(List.of(DEPLOY.resolve(script).toString()));
        words.addAll(List.of(more));
        return words;
    }

    private List<TenantUsers> gathered(Rookery rookery) throws IOException {
        var sizes = List.of(
                new Crowd.TenantSize(rookery.site(TENANTS.getFirst()), options.people, 3),
                new Crowd.TenantSize(rookery.site(TENANTS.getLast()), Math.max(2, options.people / 3), 1));
        var crowd = Crowd.gather("crowd", sizes);
        var circles = new ArrayList<TenantUsers>();
        for (var each : crowd.circles()) {
            var members = each.people().stream().map(Member::new).toList();
            for (var member : members) {
                member.begin();
            }
            int half = members.size() / 2;
            circles.add(new TenantUsers(
                    TENANTS.get(circles.size()),
                    each.rooms(),
                    members.subList(0, half),
                    members.subList(half, members.size())));
        }
        trial.say("the crowd has gathered");
        return circles;
    }

    /** Runs the time before the restore, including the messages that the restore loses. */
    private BeforeRestore live(Rookery rookery, List<TenantUsers> circles, ExecutorService threads) throws IOException {
        var chatters = chatters(circles);
        circles.forEach(circle -> circle.all().forEach(threads::execute));
        LockSupport.parkNanos(options.before.toNanos());
        for (var circle : circles) {
            circle.early().forEach(Member::stop);
            for (var member : circle.early()) {
                member.awaitEnd();
                member.readAll();
            }
        }
        var acceptedBefore =
                chatters.stream().flatMap(each -> each.accepted().stream()).toList();
        trial.say("half of the clients have stopped; backing up");
        trial.say(Script.run(words("backup", backup.toString(), "--data", original.toString())));
        LockSupport.parkNanos(options.lost.toNanos());
        var newcomer = Session.register(Http.to(rookery.site()), "newcomer");
        newcomer.createRoom(Map.of("name", "lost"));
        chatters.forEach(Chatter::close);
        var record = RoomRecord.of(rookery.database("room-service"));
        for (var circle : circles) {
            circle.late().forEach(Member::stop);
            for (var member : circle.late()) {
                member.awaitEnd();
                member.look(Duration.ZERO);
                require(circle, member, record);
            }
        }
        trial.say("%d messages were sent, %d of them before the backup"
                .formatted(record.messages(), acceptedBefore.size()));
        return new BeforeRestore(record, acceptedBefore, newcomer);
    }

    private List<Chatter> chatters(List<TenantUsers> circles) {
        double people = circles.stream().mapToInt(circle -> circle.all().size()).sum();
        return circles.stream()
                .map(circle -> new Chatter(
                        circle.sessions(),
                        circle.rooms(),
                        options.perSecond * circle.all().size() / people))
                .toList();
    }

    private void judge(Rookery rookery, List<TenantUsers> circles, BeforeRestore before) throws IOException {
        var record = RoomRecord.of(rookery.database("room-service"));
        if (!record.isBeginningOf(before.record)) {
            faults.add("the restored rooms differ from the original rooms");
        }
        var kept = record.rooms().stream()
                .flatMap(room -> record.events(room).stream())
                .toList();
        if (!kept.containsAll(before.acceptedBefore)) {
            faults.add("messages accepted before the backup are missing");
        }
        trial.say("restored: %d messages, lost: %d"
                .formatted(record.messages(), before.record.messages() - record.messages()));
        assertUnknown(rookery, before.newcomer);
        for (var circle : circles) {
            var http = Http.to(rookery.site(circle.tenant()));
            circle.all().forEach(member -> member.reconnect(http));
            comeBack(circle.early(), AnswerKind.CONTINUED, "stopped before the backup");
            comeBack(circle.late(), AnswerKind.FRESH, "received lost events");
            circle.all().forEach(member -> require(circle, member, record));
        }
        goOn(rookery, circles);
    }

    private void comeBack(List<Member> members, AnswerKind expected, String group) throws IOException {
        var counts = new EnumMap<AnswerKind, Integer>(AnswerKind.class);
        for (var member : members) {
            var beginning = member.look(Duration.ZERO);
            counts.merge(beginning, 1, Integer::sum);
            if (beginning != expected) {
                faults.add("%s, who %s, has %s".formatted(member.userId(), group, beginning));
            }
        }
        trial.say("of %d who %s: %s".formatted(members.size(), group, counts));
    }

    /** An account made after the backup must be unknown. */
    private void assertUnknown(Rookery rookery, Session newcomer) throws IOException {
        try (var http = Http.to(rookery.site())) {
            newcomer.through(http).get("/v3/account/whoami");
            faults.add("an account made after the backup is known");
        } catch (UnexpectedAnswerException _) {
            // expected
        }
    }

    private void goOn(Rookery rookery, List<TenantUsers> circles) throws IOException {
        var chatters = chatters(circles);
        LockSupport.parkNanos(AFTERWARDS.toNanos());
        chatters.forEach(Chatter::close);
        var record = RoomRecord.of(rookery.database("room-service"));
        long counted = 0;
        for (var circle : circles) {
            for (var member : circle.all()) {
                member.look(Duration.ZERO);
                require(circle, member, record);
                for (var room : circle.rooms()) {
                    counted += counted(member, room, record);
                }
            }
        }
        trial.say("in the end %d messages; %d unread counts are those of the recount"
                .formatted(record.messages(), counted));
    }

    /** Returns 1 when the server's count reaches the recount, otherwise 0. */
    private int counted(Member member, String room, RoomRecord record) {
        long recount = record.unread(room, member.userId(), member.read(room));
        long[] seen = {-1};
        boolean right = Deadline.in(PATIENCE).until(PAUSE, () -> {
            try {
                seen[0] = member.unread(room);
                return seen[0] == recount;
            } catch (IOException | UnexpectedAnswerException e) {
                return false;
            }
        });
        if (!right) {
            faults.add("%s has %d unread in %s, and not %d".formatted(member.userId(), seen[0], room, recount));
        }
        return right ? 1 : 0;
    }

    private void require(TenantUsers circle, Member member, RoomRecord record) {
        for (var room : circle.rooms()) {
            var history = member.history(room);
            var events = record.events(room);
            if (!history.equals(events)) {
                faults.add("%s knows %d events of %s, and the database %d, or in another order"
                        .formatted(member.userId(), history.size(), room, events.size()));
            }
        }
    }
}
