// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** What clients keep on the server for encryption, from outside (contract.md 13.5); the rules are tested where they are made. */
@OnOneJvm
class EncryptionE2E {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;

    EncryptionE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void keysOfOneAreClaimedByAnother() throws IOException {
        invite();
        var deviceKeys = Map.of(
                "user_id", ada.userId(),
                "device_id", ada.deviceId(),
                "algorithms", List.of("m.megolm.v1.aes-sha2"),
                "keys", Map.of("ed25519:" + ada.deviceId(), "key"),
                "signatures", Map.of());
        var counts = ada.post(
                "/v3/keys/upload",
                Map.of("device_keys", deviceKeys, "one_time_keys", Map.of("signed_curve25519:A", Map.of("key", "a"))));
        assertThat(counts.toString()).isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":1}}");

        var shown = bob.post("/v3/keys/query", Map.of("device_keys", Map.of(ada.userId(), List.of())));
        assertThat(shown.path("device_keys").path(ada.userId()).propertyNames()).containsExactly(ada.deviceId());

        var first = ada.sync(SyncQuery.initial());
        assertThat(counts(first)).isEqualTo("{\"signed_curve25519\":1}");
        var claim = Map.of("one_time_keys", Map.of(ada.userId(), Map.of(ada.deviceId(), "signed_curve25519")));
        assertThat(bob.post("/v3/keys/claim", claim)
                        .path("one_time_keys")
                        .path(ada.userId())
                        .path(ada.deviceId())
                        .propertyNames())
                .containsExactly("signed_curve25519:A");
        assertThat(bob.post("/v3/keys/claim", claim).path("one_time_keys").isEmpty())
                .isTrue();
        ada.syncUntil(first.path("next_batch").asString(), sync -> counts(sync).equals("{\"signed_curve25519\":0}"));
    }

    /** An invitation is enough to write to somebody's devices. */
    private void invite() throws IOException {
        ada.createRoom(Map.of("invite", List.of(bob.userId())));
    }

    @Test
    void strangersGetNoKeysAndReachNoDevices() throws IOException {
        ada.post("/v3/keys/upload", Map.of("one_time_keys", Map.of("signed_curve25519:A", Map.of("key", "a"))));
        var claim = Map.of("one_time_keys", Map.of(ada.userId(), Map.of(ada.deviceId(), "signed_curve25519")));

        var refused = bob.post("/v3/keys/claim", claim);
        assertThat(refused.path("one_time_keys").isEmpty()).isTrue();
        assertThat(refused.path("failures").propertyNames()).containsExactly(ada.userId());
        var message = Map.of("messages", Map.of(ada.userId(), Map.of("*", Map.of("n", 1))));
        bob.put("/v3/sendToDevice/m.test/t1", message);
        assertThat(messages(ada.sync(SyncQuery.initial()))).isEqualTo("[]");

        invite();
        assertThat(bob.post("/v3/keys/claim", claim).path("one_time_keys").propertyNames())
                .containsExactly(ada.userId());
    }

    @Test
    void whoSharesARoomIsToldOfChangedDevicesAndOfWhoIsGone() throws IOException {
        String room = ada.createRoom(Map.of("preset", "public_chat"));
        var before = bob.sync(SyncQuery.initial());
        bob.join(room);
        var joined = bob.syncUntil(next(before), sync -> users(sync, "changed").contains(ada.userId()));

        uploadKeys("changed");
        var changed = bob.syncUntil(next(joined), sync -> users(sync, "changed").contains(ada.userId()));
        var shown = bob.post("/v3/keys/query", Map.of("device_keys", Map.of(ada.userId(), List.of())));
        assertThat(shown.path("device_keys")
                        .path(ada.userId())
                        .path(ada.deviceId())
                        .path("signatures")
                        .path(ada.userId())
                        .path("ed25519:" + ada.deviceId())
                        .asString())
                .isEqualTo("changed");
        var own = ada.sync(SyncQuery.initial());
        uploadKeys("again");
        ada.syncUntil(next(own), sync -> users(sync, "changed").contains(ada.userId()));
        changed = bob.syncUntil(next(changed), sync -> users(sync, "changed").contains(ada.userId()));

        ada.leave(room);
        var left = bob.syncUntil(next(changed), sync -> users(sync, "left").contains(ada.userId()));
        var changes = bob.get("/v3/keys/changes?from=" + next(before) + "&to=" + next(changed));
        assertThat(changes.toString()).isEqualTo("{\"changed\":[\"" + ada.userId() + "\"],\"left\":[]}");
        changes = bob.get("/v3/keys/changes?from=" + next(changed) + "&to=" + next(left));
        assertThat(changes.toString()).isEqualTo("{\"changed\":[],\"left\":[\"" + ada.userId() + "\"]}");
    }

    private void uploadKeys(String signature) throws IOException {
        var deviceKeys = Map.of(
                "user_id", ada.userId(),
                "device_id", ada.deviceId(),
                "algorithms", List.of("m.megolm.v1.aes-sha2"),
                "keys", Map.of("ed25519:" + ada.deviceId(), "key"),
                "signatures", Map.of(ada.userId(), Map.of("ed25519:" + ada.deviceId(), signature)));
        ada.post("/v3/keys/upload", Map.of("device_keys", deviceKeys));
    }

    private static String next(JsonNode sync) {
        return sync.path("next_batch").asString();
    }

    private static List<String> users(JsonNode sync, String list) {
        return sync.path("device_lists")
                .path(list)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static String counts(JsonNode sync) {
        return sync.path("device_one_time_keys_count").toString();
    }

    @Test
    void messagesToDevicesAndBackupsAreTaken() throws IOException {
        invite();
        var message = Map.of("messages", Map.of(bob.userId(), Map.of("*", Map.of("n", 1))));
        assertThat(ada.put("/v3/sendToDevice/m.test/t1", message).isEmpty()).isTrue();
        var first = bob.sync(SyncQuery.initial());
        assertThat(messages(first))
                .isEqualTo("[{\"type\":\"m.test\",\"sender\":\"" + ada.userId() + "\",\"content\":{\"n\":1}}]");
        ada.put("/v3/sendToDevice/m.test/t2", message);
        bob.syncUntil(
                first.path("next_batch").asString(), sync -> !messages(sync).equals("[]"));
        assertThat(Deadline.in(PATIENCE).until(() -> waiting(bob) == 1))
                .as("the first is deleted, for bob has it; the second waits")
                .isTrue();

        assertThat(ada.call("GET", "/v3/room_keys/version", null).errcode()).isEqualTo("M_NOT_FOUND");
        var backup = Map.of("algorithm", "m.megolm_backup.v1", "auth_data", Map.of());
        assertThat(ada.post("/v3/room_keys/version", backup).path("version").asString())
                .isEqualTo("1");
        assertThat(ada.get("/v3/room_keys/keys?version=1").toString()).isEqualTo("{\"rooms\":{}}");
    }

    private static String messages(JsonNode sync) {
        return sync.path("to_device").path("events").toString();
    }

    private static int waiting(Session user) {
        try {
            return user.sync(SyncQuery.initial())
                    .path("to_device")
                    .path("events")
                    .size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void crossSigningNeedsKeysThatAreSigned() throws IOException {
        var answer = ada.call("POST", "/v3/keys/device_signing/upload", Map.of());
        assertThat(answer.status() + " " + answer.errcode()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(ada.post("/v3/keys/signatures/upload", Map.of()).toString()).isEqualTo("{\"failures\":{}}");
    }

    @Test
    void browsersMayAskForAllOfIt() throws IOException {
        for (String path : List.of("/v3/keys/upload", "/v3/sendToDevice/m.test/t1", "/v3/room_keys/keys")) {
            var answer = http.call("OPTIONS", path, null, null);
            assertThat(answer.status()).isBetween(200, 204);
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .hasValue("*");
        }
    }
}
