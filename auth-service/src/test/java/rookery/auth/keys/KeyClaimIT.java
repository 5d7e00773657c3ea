// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.UserLogReader;
import rookery.embedded.Deadline;
import rookery.model.id.DeviceId;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;

/** Each one-time key is given out once, to all claimers and on all instances (contract.md 13.5). */
class KeyClaimIT {
    private static final int KEYS = 400;
    private static final int CLIENTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AuthServer server = AuthServer.shared();

    @Test
    void noKeyIsGivenOutTwiceByTwoInstances() throws Exception {
        var ada = Phone.ofNewUser(server, ALPHA);
        var ids = IntStream.range(0, KEYS).mapToObj(i -> "K" + i).toList();
        ada.post("upload", Phone.oneTimeKeys(ids));
        var other = AuthServer.sharedSecond();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            var bob = Phone.ofNewUser(server, ALPHA);
            var clients = new ArrayList<Callable<List<String>>>();
            for (int i = 0; i < CLIENTS; i++) {
                var client = i % 2 == 0 ? bob : bob.at(other);
                clients.add(() -> IntStream.range(0, KEYS / CLIENTS + 2)
                        .mapToObj(_ -> client.claim(ada))
                        .filter(id -> !id.isEmpty())
                        .toList());
            }
            var given = new ArrayList<String>();
            for (var result : threads.invokeAll(clients)) {
                given.addAll(result.get());
            }

            assertThat(given).hasSize(KEYS).doesNotHaveDuplicates();
        }
    }

    @Test
    void keysOfManyUsersAreClaimedAtOnceInOppositeOrders() throws Exception {
        var owners = IntStream.range(0, 20)
                .mapToObj(_ -> Phone.ofNewUser(server, ALPHA))
                .toList();
        var ids = IntStream.range(0, 8).mapToObj(i -> "K" + i).toList();
        owners.forEach(owner -> {
            owner.post("upload", Phone.oneTimeKeys(ids));
            owner.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");
        });
        var bob = Phone.ofNewUser(server, ALPHA);
        try (var threads = Executors.newFixedThreadPool(10)) {
            var claims = IntStream.range(0, 10)
                    .mapToObj(i -> (Callable<List<String>>) () -> claimed(bob, i % 2 == 0 ? owners : owners.reversed()))
                    .toList();
            var given = new ArrayList<String>();
            for (var result : threads.invokeAll(claims)) {
                given.addAll(result.get());
            }

            assertThat(given).hasSize(10 * owners.size());
            assertThat(given.stream().filter(id -> !id.endsWith(":F")))
                    .hasSize(8 * owners.size())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void claimsAndLogoutsDoNotHinderEachOther() throws Exception {
        var bob = Phone.ofNewUser(server, ALPHA);
        var ids = IntStream.range(0, 50).mapToObj(i -> "K" + i).toList();
        var owners = IntStream.range(0, 8)
                .mapToObj(_ -> Phone.ofNewUser(server, ALPHA))
                .toList();
        owners.forEach(owner -> owner.post("upload", Phone.oneTimeKeys(ids)));
        try (var threads = Executors.newFixedThreadPool(12)) {
            var requests = new ArrayList<Callable<Integer>>();
            for (var owner : owners) {
                IntStream.range(0, 10)
                        .forEach(_ -> requests.add(() -> {
                            claimed(bob, owners);
                            return 200;
                        }));
                requests.add(
                        () -> owner.call("POST", "/_api/client/v3/logout", "{}").status());
            }
            for (var status : threads.invokeAll(requests)) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
        assertThat(claimed(bob, owners)).isEmpty();
    }

    @Test
    void ownersAreToldHowManyAreLeft() {
        var ada = Phone.ofNewUser(server, ALPHA);
        var bob = Phone.ofNewUser(server, ALPHA);
        ada.post("upload", Phone.oneTimeKeys(List.of("A", "B")));
        ada.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        IntStream.range(0, 3).forEach(_ -> bob.claim(ada));

        var none = new KeyCountsSet(new DeviceId(ada.device()), Map.of("signed_curve25519", 0L), List.of());
        assertThat(Deadline.in(PATIENCE).until(() -> log.after(head).contains(none)))
                .isTrue();
        // an append may already count a claim that commits meanwhile; that claim's own note then causes a second entry
        String due = "SELECT count(*) FROM auth.key_count_due WHERE user_id = '" + ada.user() + "'";
        assertThat(Deadline.in(PATIENCE).until(() -> server.count(due) == 0)).isTrue();
        assertThat(log.after(head)).endsWith(none);
    }

    @Test
    void claimIsCountedThoughThoseBeforeItAreJustBeingCounted() throws Exception {
        try (var own = AuthServer.with("--rookery.auth.key-count-interval=1h");
                var counting = own.database().connect()) {
            var ada = Phone.ofNewUser(own, ALPHA);
            var bob = Phone.ofNewUser(own, ALPHA);
            ada.post("upload", Phone.oneTimeKeys(List.of("A", "B")));
            ada.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");
            for (var key : List.of("A", "B", "F")) {
                own.database()
                        .execute("INSERT INTO auth.key_count_due (tenant, user_id, device_id) VALUES (1, '%s', '%s')"
                                .formatted(ada.user(), ada.device()));
                counting.setAutoCommit(false);
                counting.createStatement().execute("DELETE FROM auth.key_count_due");

                assertThat(bob.claim(ada)).isEqualTo(key);

                counting.commit();
                assertThat(own.count("SELECT count(*) FROM auth.key_count_due"))
                        .as(key)
                        .isEqualTo(1);
                counting.createStatement().execute("DELETE FROM auth.key_count_due");
                counting.commit();
            }
        }
    }

    /** The keys of one claim: user, device and key in each. */
    private static List<String> claimed(Phone client, List<Phone> owners) {
        var claims = String.join(
                ",",
                owners.stream()
                        .map(owner -> "\"%s\":{\"%s\":\"signed_curve25519\"}".formatted(owner.user(), owner.device()))
                        .toList());
        var answer = client.post("claim", "{\"one_time_keys\":{" + claims + "}}");
        assertThat(answer.status()).isEqualTo(200);
        var keys = answer.json().path("one_time_keys");
        return keys.propertyNames().stream()
                .flatMap(user -> keys.path(user)
                        .valueStream()
                        .flatMap(device -> Stream.of(
                                user + " " + device.propertyNames().iterator().next())))
                .toList();
    }
}
