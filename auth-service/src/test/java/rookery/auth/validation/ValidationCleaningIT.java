// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.embedded.Deadline;

class ValidationCleaningIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void whatRanOutADayAgoIsDeletedAndNothingElse() {
        try (var server = AuthServer.with("--rookery.auth.cleaning-interval=100ms")) {
            server.database().execute("""
                    INSERT INTO auth.validation (tenant, sid, medium, address, purpose, secret_hash, created_at)
                    VALUES (1, 'old', 'email', 'a@b.example', 'account', '\\x01', now() - interval '48 hours 1 second'),
                           (1, 'ran-out', 'email', 'a@b.example', 'account', '\\x02', now() - interval '25 hours'),
                           (2, 'new', 'email', 'a@b.example', 'account', '\\x03', now())
                    """, """
                    INSERT INTO auth.sending (tenant, medium, address, since, messages)
                    VALUES (1, 'email', 'a@b.example', now() - interval '61 minutes', 5),
                           (2, 'email', 'a@b.example', now() - interval '59 minutes', 5)
                    """);

            untilThereIs(server, "SELECT string_agg(sid, ' ' ORDER BY sid) FROM auth.validation", "new ran-out");
            untilThereIs(server, "SELECT string_agg(tenant::text, ' ') FROM auth.sending", "2");
        }
    }

    private static void untilThereIs(AuthServer server, String query, String expected) {
        var actual = new AtomicReference<String>();
        Deadline.in(PATIENCE).until(() -> {
            actual.set(server.database().texts(query).getFirst());
            return expected.equals(actual.get());
        });
        assertThat(actual.get()).isEqualTo(expected);
    }
}
