// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL 18 on a port of the loopback interface, with fsync and checksums. Its folder keeps the cluster, the port and the
 * superuser's password; a restart on the folder recovers the data, also after {@code kill -9}.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String SUPERUSER = "postgres";
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int STATUS_LINE = 7;

    /**
     * Slow hashing protects short passwords. These passwords have 192 random bits, and each new connection would pay for
     * the hashing.
     */
    private static final int SCRAM_ITERATIONS = 64;

    /** A small server. No setting weakens the durability of COMMIT. */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "max_connections=200",
            "shared_buffers=128MB",
            "work_mem=4MB",
            "maintenance_work_mem=32MB",
            "max_wal_size=1GB",
            "min_wal_size=128MB",
            "jit=off",
            "huge_pages=off",
            "tcp_keepalives_idle=10",
            "tcp_keepalives_interval=5",
            "tcp_keepalives_count=3",
            "scram_iterations=" + SCRAM_ITERATIONS,
            "timezone=UTC",
            "log_timezone=UTC",
            "lc_messages=C",
            "log_checkpoints=off",
            "logging_collector=off");

    private final Path folder;
    private final Path programs;
    private final RunAs runAs;
    private final String password;
    private final int port;
    private volatile Child child;

    private EmbeddedPostgres(Path folder, Path programs, RunAs runAs, String password) {
        this.folder = folder;
        this.programs = programs;
        this.runAs = runAs;
        this.password = password;
        if (!Files.exists(data().resolve("PG_VERSION"))) {
            initialize();
        }
        Leftovers.end(data(), "postgres");
        this.port = Ports.remembered(folder.resolve("port"));
        this.child = run();
    }

    /**
     * Starts the server. Returns when the server accepts connections.
     *
     * @param folder of this server only; initialized on the first start
     * @param binaries the folder of unpacked programs, shared with other runs
     */
    public static EmbeddedPostgres start(Path folder, Path binaries) {
        var home = Folders.make(folder.toAbsolutePath().normalize());
        var programs = new Binaries(binaries).postgres();
        var password = Secrets.in(home.resolve("superuser-password"));
        return new EmbeddedPostgres(home, programs, RunAs.forFolders(home, programs), password);
    }

    /** Unpacks the programs before {@link #start} does. Returns whether any program was missing. */
    public static boolean unpack(Path binaries) {
        return new Binaries(binaries).unpackPostgres();
    }

    /** The superuser's access to a database of the server that another process runs in the folder; null when no server runs. */
    public static @Nullable Database running(Path folder, String database) {
        var port = Folders.textOf(folder.resolve("port"));
        var password = Folders.textOf(folder.resolve("superuser-password"));
        var runs = Files.exists(folder.resolve("data").resolve("postmaster.pid"));
        return port == null || password == null || !runs
                ? null
                : new Database(HOST, Integer.parseInt(port.strip()), database, SUPERUSER, password.strip());
    }

    /** The superuser's access to the database of that name. */
    public Database superuser(String database) {
        return new Database(HOST, port, database, SUPERUSER, password);
    }

    public Database superuser() {
        return superuser("postgres");
    }

    public int port() {
        return port;
    }

    public Child child() {
        return child;
    }

    /** Ends the server with SIGKILL; {@link #startAgain} recovers on the same port. */
    public void kill() {
        child.kill();
    }

    /** Restarts an ended server. Returns when the server accepts connections. */
    public void startAgain() {
        child = run();
    }

    /** Stops and starts the server; open connections are closed. */
    public void restart() {
        close();
        startAgain();
    }

    /** Closes the connections, writes a checkpoint and ends the server. */
    @Override
    public void close() {
        child.stop(Child.Signal.INT, STOP_PATIENCE);
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path log() {
        return folder.resolve("postgres.log");
    }

    private void initialize() {
        Folders.delete(data()); // the remains of an interrupted initdb
        var data = Folders.make(data());
        var secret = folder.resolve("superuser-password.once"); // initdb reads the file as the other user
        Folders.writeSecret(secret, password + "\n");
        try {
            runAs.own(data);
            runAs.own(secret);
            var initdb = runAs(
                    "initdb",
                    List.of(
                            "--pgdata=" + data,
                            "--username=" + SUPERUSER,
                            "--pwfile=" + secret,
                            "--auth=scram-sha-256",
                            "--encoding=UTF8",
                            "--locale=C.UTF-8",
                            "--set=scram_iterations=" + SCRAM_ITERATIONS,
                            "--data-checksums"));
            if (initdb.ended().join() != 0) {
                throw new ServerException(
                        "PostgreSQL's initdb failed: %s (all of it in %s)".formatted(initdb.lastWords(), log()));
            }
        } finally {
            Folders.delete(secret);
        }
    }

    private Child run() {
        runAs.own(data());
        var deadline = Deadline.in(START_PATIENCE);
        var started = attempt(deadline);
        while (!isReady(started)) {
            if (deadline.passed() || !mayBeOverSoon(started.printed())) {
                throw new ServerException(
                        "PostgreSQL did not start: %s (all of it in %s)".formatted(started.lastWords(), log()));
            }
            started = attempt(deadline);
        }
        return started;
    }

    /** Returns a ready server or an ended process. */
    private Child attempt(Deadline deadline) {
        forgetDeadPostmaster();
        var started = runAs("postgres", serverArguments());
        if (!deadline.until(() -> isReady(started) || !started.isAlive())) {
            started.stop(Child.Signal.QUIT, STOP_PATIENCE);
        }
        return started;
    }

    private List<String> serverArguments() {
        var arguments = new ArrayList<>(List.of("-D", data().toString(), "-p", Integer.toString(port)));
        for (var setting : SETTINGS) {
            arguments.add("-c");
            arguments.add(setting);
        }
        return arguments;
    }

    private Child runAs(String program, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return Child.start(new Child.Program("PostgreSQL", runAs.prefix(), command, data(), log(), Child.Signal.INT));
    }

    /**
     * PostgreSQL refuses to start when the process id of a crashed server belongs to another process of the same user or to a
     * zombie. The caller has checked that no server works in the folder.
     */
    private void forgetDeadPostmaster() {
        if (Leftovers.pids(data(), "postgres").isEmpty()) {
            Folders.delete(data().resolve("postmaster.pid"));
        }
    }

    /** After a crash the processes of the old server need a moment to end. */
    private static boolean mayBeOverSoon(String printed) {
        return printed.contains("pre-existing shared memory block") || printed.contains("lock file");
    }

    /** Reads the state that the server writes into postmaster.pid, as pg_ctl does. */
    private boolean isReady(Child started) {
        var file = Folders.textOf(data().resolve("postmaster.pid"));
        if (file == null || !started.isAlive()) {
            return false;
        }
        var lines = file.lines().toList();
        return lines.size() > STATUS_LINE
                && lines.getFirst().strip().equals(Long.toString(started.pid()))
                && lines.get(STATUS_LINE).strip().equals("ready");
    }
}
