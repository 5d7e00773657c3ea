package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Processes that stand still while this is open: they hold their connections, and answer nothing. */
public final class Frozen implements AutoCloseable {
    private static final String BACKENDS = """
            SELECT pid FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()
            """;

    private final List<Long> pids;

    private Frozen(List<Long> pids) {
        this.pids = pids;
        pids.forEach(pid -> signal("STOP", pid));
    }

    /** Stops the process of that name, such as {@code redis-1}. */
    public static Frozen freeze(Rookery rookery, String name) {
        long pid = Objects.requireNonNull(rookery.instance(name), name + " does not run")
                .pid();
        return new Frozen(List.of(pid));
    }

    /** Stops the processes of PostgreSQL that serve a service at this moment; connections made later are served. */
    public static Frozen freezeBackends(Rookery rookery, String service) {
        var pids = new ArrayList<Long>();
        try (var connection = rookery.database(service).connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(BACKENDS)) {
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new Frozen(pids);
    }

    @Override
    public void close() {
        pids.forEach(pid -> signal("CONT", pid));
    }

    private static void signal(String signal, long pid) {
        try {
            int exitValue = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitValue != 0) {
                throw new IllegalStateException("kill -%s %d: %d".formatted(signal, pid, exitValue));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
