// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import rookery.embedded.Deadline;

/** Stopped processes: until the end they keep their connections and do not answer. */
public final class FrozenProcesses implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The backends of this user, and whether each is idle. */
    private static final String BACKENDS = """
            SELECT pid, coalesce(state = 'idle' AND wait_event = 'ClientRead', false) AS idle
              FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()
            """;

    private final List<Long> pids = new ArrayList<>();

    private FrozenProcesses() {}

    /** Stops the process of an instance, such as {@code redis-1}. */
    public static FrozenProcesses freeze(Rookery rookery, String name) {
        long pid = Objects.requireNonNull(rookery.instance(name), name + " does not run")
                .pid();
        var frozen = new FrozenProcesses();
        frozen.stop(pid);
        return frozen;
    }

    /**
     * Stops the current backends of a service, each while idle, because a backend stopped within a statement may block the whole
     * server. Later connections get running backends.
     */
    public static FrozenProcesses freezeBackends(Rookery rookery, String service) {
        var frozen = new FrozenProcesses();
        try (var connection = rookery.database(service).connect();
                var statement = connection.createStatement()) {
            var pids = backends(statement).keySet();
            if (!Deadline.in(PATIENCE).until(() -> frozen.stopIdle(pids, statement))) {
                frozen.close();
                throw new IllegalStateException("the processes that serve " + service + " are never idle");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return frozen;
    }

    /** Stops idle backends. Returns whether all remaining backends are stopped. */
    private boolean stopIdle(Set<Long> backends, Statement statement) {
        for (var backend : backends(statement).entrySet()) {
            long pid = backend.getKey();
            if (backend.getValue() && backends.contains(pid) && !pids.contains(pid)) {
                stop(pid);
            }
        }
        var now = backends(statement);
        for (long pid : List.copyOf(pids)) {
            if (!now.getOrDefault(pid, false)) { // the backend began a statement before the signal arrived
                signal("CONT", pid);
                pids.remove(pid);
            }
        }
        return now.keySet().stream().filter(backends::contains).allMatch(pids::contains);
    }

    private static Map<Long, Boolean> backends(Statement statement) {
        try (var rows = statement.executeQuery(BACKENDS)) {
            var backends = new HashMap<Long, Boolean>();
            while (rows.next()) {
                backends.put(rows.getLong("pid"), rows.getBoolean("idle"));
            }
            return backends;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stop(long pid) {
        signal("STOP", pid);
        pids.add(pid);
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
