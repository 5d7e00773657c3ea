package rookery.e2e.todevice;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.Kills;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Program;

/**
 * The program behind {@code deploy/e2e/to-device}: exits with 0 when every to-device message was repeated until its
 * acknowledgement, and never after.
 */
public final class ToDeviceApplication {
    private static final String CLUSTER = "gateway=2,auth=2,room=2,sync=2";
    /** Instances of the same service far apart, so that one of them works during a slow restart. */
    private static final List<String> VICTIMS = List.of(
            "sync-service-1",
            "auth-service-1",
            "gateway-1",
            "room-service-1",
            "kafka-1",
            "sync-service-2",
            "auth-service-2",
            "gateway-2",
            "room-service-2");

    private static final String FIRST_TENANT = "localhost";
    private static final String SECOND_TENANT = "other.example";
    private static final int PEOPLE = 12;
    private static final int PEOPLE_OF_SECOND = 8;
    /** Every third user has a second device. */
    private static final int EVERY_THIRD = 3;

    private static final int SHOWN = 20;
    private static final Duration LONGEST_AWAY = Duration.ofSeconds(25);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Options options;
    private final long begunNanos = System.nanoTime();

    private ToDeviceApplication(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/e2e/to-device",
                Options.HELP,
                new Options(),
                arguments,
                options -> new ToDeviceApplication(options).run());
    }

    private boolean run() throws IOException {
        var amount = new MessageTraffic.Amount(options.perSecond, options.length, LONGEST_AWAY, PATIENCE);
        var data = options.data.toAbsolutePath();
        Folders.delete(data);
        say("starting " + CLUSTER);
        var plan = Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), data)
                .cluster(CLUSTER)
                .tenants(SECOND_TENANT);
        try (var rookery = Rookery.start(plan);
                var firstAtOther = Http.to(rookery.site(FIRST_TENANT, 2));
                var secondAtOther = Http.to(rookery.site(SECOND_TENANT, 2))) {
            say("ready");
            var sizes = List.of(
                    new Crowd.TenantSize(rookery.site(), PEOPLE, 1),
                    new Crowd.TenantSize(rookery.site(SECOND_TENANT), PEOPLE_OF_SECOND, 1));
            try (var crowd = Crowd.gather("devices", sizes)) {
                var circles = List.of(
                        devices(crowd.circles().getFirst(), firstAtOther),
                        devices(crowd.circles().getLast(), secondAtOther));
                say("the devices are there: " + circles.stream().map(List::size).toList());
                var interval = options.length.dividedBy(Math.max(1, options.kills));
                var kills = Kills.inTurn(rookery, options.seed, options.kills, interval, VICTIMS, this::say);
                return judge(MessageTraffic.hold(rookery, circles, amount, kills, this::say));
            }
        } finally {
            Folders.delete(data);
        }
    }

    /** The devices of a tenant: some users have a second device, and every second device uses the other gateway. */
    private static List<Session> devices(Crowd.TenantUsers circle, Http otherGateway) throws IOException {
        var sessions = new ArrayList<Session>();
        for (int i = 0; i < circle.people().size(); i++) {
            sessions.add(circle.people().get(i));
            if (i % EVERY_THIRD == 0) {
                sessions.add(Session.login(circle.http(), circle.people().get(i).userId()));
            }
        }
        var devices = new ArrayList<Session>();
        for (int i = 0; i < sessions.size(); i++) {
            devices.add(i % 2 == 0 ? sessions.get(i) : sessions.get(i).through(otherGateway));
        }
        return devices;
    }

    private boolean judge(DeliveryReport delivered) {
        var faults = delivered.faults(options.strict);
        delivered.failedAttempts().forEach((why, times) -> say("%d attempts failed: %s".formatted(times, why)));
        faults.stream().limit(SHOWN).forEach(this::say);
        say("%s: %s; %d faults"
                .formatted(
                        faults.isEmpty() ? "TOLD UNTIL ACKNOWLEDGED" : "NOT AS PROMISED",
                        delivered.summary(),
                        faults.size()));
        return faults.isEmpty();
    }

    private void say(String line) {
        System.out.printf(Locale.ROOT, "%7.1f s %s%n", (System.nanoTime() - begunNanos) / 1e9, line);
    }
}
