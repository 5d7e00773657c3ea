// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import rookery.embedded.Deadline;

class CleaningIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void whatIsOutOfDateIsDeletedAndNothingElse() {
        try (var server = AuthServer.with(
                "--rookery.auth.cleaning-interval=100ms", "--rookery.auth.password.failures-window=1h")) {
            server.call(ALPHA, "POST", "/_api/client/v3/register", "{}");
            server.call(
                    ALPHA,
                    "POST",
                    "/_api/client/v3/login",
                    "{\"type\":\"m.login.password\",\"user\":\"nobody\",\"password\":\"wrong horse\"}");
            server.database().execute("""
                    INSERT INTO auth.uia_session (tenant, session_hash, operation, parameters, created_at, used_at)
                    VALUES (1, '\\x01', 'POST /v3/register', '\\x', now(), now() - interval '61 minutes'),
                           (1, '\\x02', 'POST /v3/register', '\\x', now() - interval '25 hours', now())
                    """, """
                    INSERT INTO auth.password_failure (tenant, user_id, since, failures)
                    VALUES (1, '@old:alpha.example', now() - interval '61 minutes', 3)
                    """);

            untilCountIs(server, "auth.uia_session", 1);
            untilCountIs(server, "auth.password_failure", 3); // the counters of one guess: network, account and address
        }
    }

    @Test
    void whatGoesOutOfDateWhileTheServiceRunsIsDeletedToo() {
        try (var server = AuthServer.with(
                "--rookery.auth.cleaning-interval=100ms",
                "--rookery.auth.password.failures-window=200ms",
                "--rookery.auth.interactive.idle-max=200ms",
                "--rookery.auth.login-token.life=200ms")) {
            var session = server.register(ALPHA, "late", "correct horse");
            server.withPassword(ALPHA, session, "POST", "/_api/client/v1/login/get_token", "{}");
            server.call(ALPHA, "POST", "/_api/client/v3/register", "{}");
            server.call(
                    ALPHA,
                    "POST",
                    "/_api/client/v3/login",
                    "{\"type\":\"m.login.password\",\"user\":\"nobody\",\"password\":\"wrong horse\"}");
            server.database().execute("""
                    INSERT INTO auth.device_connection (tenant, user_id, device_id, ip, user_agent, last_seen_at)
                    SELECT tenant, user_id, device_id, '192.0.2.1', '', now() - interval '28 days' FROM auth.device
                    """, """
                    INSERT INTO auth.registration_token (tenant, token_hash, uses_left, expires_at, created_at)
                    VALUES (1, '\\x01', 0, NULL, now()), (1, '\\x02', NULL, now(), now()), (1, '\\x03', 1, NULL, now())
                    """);

            for (var table : java.util.List.of("uia_session", "password_failure", "login_token", "device_connection")) {
                untilCountIs(server, "auth." + table, 0);
            }
            untilCountIs(server, "auth.registration_token", 1);
        }
    }

    private static void untilCountIs(AuthServer server, String table, int expected) {
        var actual = new AtomicInteger();
        Deadline.in(PATIENCE).until(() -> {
            actual.set(server.count("SELECT count(*) FROM " + table));
            return actual.get() == expected;
        });
        assertThat(actual.get()).as(table).isEqualTo(expected);
    }
}
