package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;

class ValidationCleaningIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void whatRanOutADayAgoIsDeletedAndNothingElse() throws Exception {
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

    private static void untilThereIs(AuthServer server, String query, String wanted) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String found = answer(server, query);
        while (!wanted.equals(found) && System.nanoTime() < end) {
            Thread.onSpinWait();
            found = answer(server, query);
        }
        assertThat(found).isEqualTo(wanted);
    }

    private static String answer(AuthServer server, String query) throws SQLException {
        try (var connection = server.database().connect();
                var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
