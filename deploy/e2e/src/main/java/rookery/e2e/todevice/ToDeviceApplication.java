// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.Kills;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;

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
    private static final int PEOPLE = 12;
    private static final int PEOPLE_OF_SECOND = 8;
    /** Every third user has a second device. */
    private static final int EVERY_THIRD = 3;

    private static final Duration LONGEST_AWAY = Duration.ofSeconds(25);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Options options;
    private final Trial trial;

    private ToDeviceApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "to-device",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new ToDeviceApplication(options, trial).run());
    }

    private boolean run() throws IOException {
        return trial.on(trial.plan().cluster(CLUSTER).tenants(Trial.OTHER_TENANT), this::exchange);
    }

    private boolean exchange(Rookery rookery) throws IOException {
        var amount = new MessageTraffic.Amount(options.perSecond, options.length, LONGEST_AWAY, PATIENCE);
        var sizes = List.of(
                new Crowd.TenantSize(rookery.site(), PEOPLE, 1),
                new Crowd.TenantSize(rookery.site(Trial.OTHER_TENANT), PEOPLE_OF_SECOND, 1));
        try (var firstAtOther = Http.to(rookery.site(FIRST_TENANT, 2));
                var secondAtOther = Http.to(rookery.site(Trial.OTHER_TENANT, 2));
                var crowd = Crowd.gather("devices", sizes)) {
            var circles = List.of(
                    devices(crowd.circles().getFirst(), firstAtOther),
                    devices(crowd.circles().getLast(), secondAtOther));
            trial.say("registered devices: " + circles.stream().map(List::size).toList());
            var interval = options.length.dividedBy(Math.max(1, options.kills));
            var kills = Kills.inTurn(rookery, options.seed, options.kills, interval, VICTIMS, trial::say);
            var report = MessageTraffic.hold(rookery, circles, amount, kills, trial::say);
            report.failedAttempts().forEach((why, times) -> trial.say("%d attempts failed: %s".formatted(times, why)));
            return trial.judge(report.faults(options.strict), "DELIVERED UNTIL ACKNOWLEDGED", report.summary());
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
}
