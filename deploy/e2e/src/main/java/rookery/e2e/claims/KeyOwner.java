// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;
import rookery.e2e.claims.Claim.NoKey;
import rookery.e2e.claims.Claim.Outcome;
import tools.jackson.databind.JsonNode;

/** A device whose keys other users claim. */
record KeyOwner(Session session, KeyStock stock) {
    private static final String ALGORITHM = "signed_curve25519";
    private static final String CLAIM = "/v3/keys/claim";

    /** Uploads one-time keys, at most 1,000, and a fallback key. */
    static KeyOwner uploading(Session session, int number) throws IOException {
        var keys = new ArrayList<ClaimableKey>();
        Map<String, Object> oneTime = new LinkedHashMap<>();
        for (int i = 1; i <= number; i++) {
            var name = ALGORITHM + ":K" + i;
            var key = "k%d of %s".formatted(i, session.userId());
            oneTime.put(name, Map.of("key", key));
            keys.add(new ClaimableKey(name, "{\"key\":\"%s\"}".formatted(key)));
        }
        var fallback =
                new ClaimableKey(ALGORITHM + ":FALLBACK", "{\"key\":\"the last of %s\"}".formatted(session.userId()));
        session.post(
                "/v3/keys/upload",
                Map.of(
                        "one_time_keys",
                        oneTime,
                        "fallback_keys",
                        Map.of(fallback.name(), Map.of("key", "the last of " + session.userId()))));
        return new KeyOwner(session, new KeyStock(session.userId() + " " + session.deviceId(), keys, fallback));
    }

    /** Claims a key of the device. Throws an UnexpectedAnswerException for a refusal that kills do not excuse. */
    Claim claimedBy(Session client) {
        var body = Map.of("one_time_keys", Map.of(session.userId(), Map.of(session.deviceId(), ALGORITHM)));
        long begunNanos = System.nanoTime();
        Outcome outcome;
        try {
            outcome = outcome(client.call("POST", CLAIM, body));
        } catch (IOException _) {
            outcome = new NoAnswer();
        }
        return new Claim(client.userId(), stock.device(), begunNanos, System.nanoTime(), outcome);
    }

    private Outcome outcome(Answer answer) {
        if (answer.isPassing()) {
            return new NoAnswer();
        }
        var keys = answer.ok()
                .path("one_time_keys")
                .path(session.userId())
                .path(session.deviceId())
                .properties();
        if (keys.isEmpty()) {
            return new NoKey();
        }
        if (keys.size() > 1) {
            throw new IllegalStateException("asked for one key, and given several: " + answer);
        }
        var key = keys.iterator().next();
        return new KeyAnswer(new ClaimableKey(key.getKey(), key.getValue().toString()));
    }

    /** Whether the device's sync shows a count of zero and a used fallback key. */
    boolean knowsThatItIsEmpty() {
        try {
            var answer = session.trySync(SyncQuery.initial());
            return answer.isOk() && isEmpty(answer.json());
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean isEmpty(JsonNode sync) {
        return sync.path("device_one_time_keys_count").path(ALGORITHM).asInt(-1) == 0
                && sync.path("device_unused_fallback_key_types").isEmpty();
    }
}
