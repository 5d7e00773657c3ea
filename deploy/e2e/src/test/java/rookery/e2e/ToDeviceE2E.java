package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import rookery.e2e.todevice.MessageTraffic;

/**
 * A message to a device is told until it is acknowledged, and once (contract.md 13.5): the short form of {@code deploy/e2e/to-device},
 * in which no process is killed, but answers are lost and requests repeated.
 */
@ExtendWith(ClusterExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class ToDeviceE2E {
    private static final int PEOPLE = 4;

    private static final MessageTraffic.Amount AMOUNT =
            new MessageTraffic.Amount(60, Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMinutes(3));

    private final Rookery rookery;

    ToDeviceE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void messagesAreToldUntilTheyAreAcknowledged() throws IOException {
        try (var http = rookery.http()) {
            var delivered = MessageTraffic.hold(rookery, List.of(devices(http)), AMOUNT, () -> {}, _ -> {});

            assertThat(delivered.faults(false)).as(delivered.summary()).isEmpty();
            assertThat(delivered.accepted()).isPositive();
            assertThat(delivered.deliveries()).isGreaterThanOrEqualTo(delivered.accepted());
        }
    }

    /** Each user has two. */
    private static List<Session> devices(Http http) throws IOException {
        var devices = new ArrayList<Session>();
        for (int i = 0; i < PEOPLE; i++) {
            var first = People.newcomer(http, "devices");
            devices.add(first);
            devices.add(Session.login(http, first.userId()));
        }
        return devices;
    }
}
