package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** No one-time key is given out twice, whichever process is killed meanwhile (contract.md 13.5). */
@ExtendWith(ClusterExtension.class)
@Isolated("kills processes")
class KeyClaimKillsE2E {
    private static final int OWNERS = 10;
    private static final int KEYS = 1000;
    private static final int CLIENTS = 50;
    private static final String ALGORITHM = "signed_curve25519";
    private static final String VICTIM = "auth-service-1";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Rookery rookery;

    KeyClaimKillsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void eachKeyIsGivenOutOnce() throws Exception {
        try (var http = rookery.http()) {
            var owners = new ArrayList<Session>();
            for (int i = 0; i < OWNERS; i++) {
                owners.add(owner(People.newcomer(http, "owner")));
            }
            var client = People.newcomer(http, "client");
            var given = new ConcurrentLinkedQueue<String>();
            var unanswered = new AtomicInteger();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var clients = new ArrayList<Future<?>>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(threads.submit(() -> claimAll(client, owners, given, unanswered)));
                }
                for (int part = 1; part <= 2; part++) {
                    int moment = OWNERS * KEYS * part / 3;
                    Deadline.in(PATIENCE).until(Duration.ofMillis(5), () -> given.size() >= moment);
                    var killed = rookery.kill(VICTIM);
                    assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(VICTIM, killed)))
                            .isTrue();
                }
                for (var one : clients) {
                    one.get();
                }
            }

            assertThat(given).doesNotHaveDuplicates();
            assertThat(given.size())
                    .as("what was answered, and at most what was lost with an answer")
                    .isBetween(OWNERS * (KEYS - unanswered.get()), OWNERS * KEYS);
        }
    }

    private static Session owner(Session session) throws IOException {
        Map<String, Object> keys = new HashMap<>();
        IntStream.range(0, KEYS).forEach(i -> keys.put(ALGORITHM + ":K" + i, Map.of("key", "k" + i)));
        session.post("/v3/keys/upload", Map.of("one_time_keys", keys));
        return session;
    }

    /** One key of each owner in each request, until nobody has any. */
    private static void claimAll(
            Session client, List<Session> owners, ConcurrentLinkedQueue<String> given, AtomicInteger unanswered) {
        Map<String, Object> asked = new HashMap<>();
        owners.forEach(owner -> asked.put(owner.userId(), Map.of(owner.deviceId(), ALGORITHM)));
        boolean done = Deadline.in(PATIENCE).until(Duration.ofMillis(5), () -> {
            try {
                var answer = client.call("POST", "/v3/keys/claim", Map.of("one_time_keys", asked));
                if (answer.status() != 200) {
                    unanswered.incrementAndGet();
                    return false;
                }
                var keys = answer.json().path("one_time_keys");
                for (var user : keys.properties()) {
                    user.getValue()
                            .forEach(device ->
                                    device.propertyNames().forEach(key -> given.add(user.getKey() + " " + key)));
                }
                return keys.isEmpty();
            } catch (IOException e) {
                unanswered.incrementAndGet();
                return false;
            }
        });
        assertThat(done).as("all keys are claimed").isTrue();
    }
}
