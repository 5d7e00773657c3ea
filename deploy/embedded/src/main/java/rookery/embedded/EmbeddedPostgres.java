package rookery.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL 18 on a port of the loopback interface, with fsync on and checksums. Its cluster, port and superuser's
 * password stay in a folder; the same folder gives the same data again, also after {@code kill -9}.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String SUPERUSER = "postgres";
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int STATUS_LINE = 7;

    /** Hashing slowly protects short passwords. Ours are 192 random bits, and every new connection would pay for it. */
    private static final int SCRAM_ITERATIONS = 64;

    /** Small, durable, in one language. Nothing here weakens what a COMMIT promises. */
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
     * Starts the server and returns when it answers.
     *
     * @param folder its own; made and filled on the first start
     * @param binaries where the programs are unpacked, shared with other runs
     */
    public static EmbeddedPostgres start(Path folder, Path binaries) {
        var home = Folders.make(folder.toAbsolutePath().normalize());
        var programs = new Binaries(binaries).postgres();
        var password = Secrets.in(home.resolve("superuser-password"));
        return new EmbeddedPostgres(home, programs, RunAs.forFolders(home, programs), password);
    }

    /** Unpacks the programs when they are not yet, which {@link #start} would do. Returns whether there was anything to do. */
    public static boolean unpack(Path binaries) {
        return new Binaries(binaries).unpackPostgres();
    }

    /** The superuser's connection to a database of the server that another process runs in that folder; null if none does. */
    public static @Nullable Database running(Path folder, String database) {
        var port = Folders.textOf(folder.resolve("port"));
        var password = Folders.textOf(folder.resolve("superuser-password"));
        var runs = Files.exists(folder.resolve("data").resolve("postmaster.pid"));
        return port == null || password == null || !runs
                ? null
                : new Database(HOST, Integer.parseInt(port.strip()), database, SUPERUSER, password.strip());
    }

    /** The superuser's connection to the database of that name. */
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

    /** Ends it as a fault would; {@link #startAgain} recovers it on the same port. */
    public void kill() {
        child.kill();
    }

    /** Starts it again after it ended, however it ended. Returns when it answers. */
    public void startAgain() {
        child = run();
    }

    /** An orderly stop and a start; connections are cut. */
    public void restart() {
        close();
        startAgain();
    }

    /** Cuts the connections, writes what is in memory and ends. */
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
        Folders.delete(data()); // half an initdb
        var data = Folders.make(data());
        var secret = folder.resolve("superuser-password.once"); // initdb reads it as the other user
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

    /** Returns a server that is ready, or one that has ended. */
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
     * A process id left by a crash may meanwhile be another process of the same user, or a zombie that nobody reaps, and
     * PostgreSQL would then refuse to start. That no server of ours works in the folder was seen before.
     */
    private void forgetDeadPostmaster() {
        if (Leftovers.pids(data(), "postgres").isEmpty()) {
            Folders.delete(data().resolve("postmaster.pid"));
        }
    }

    /** After a crash the old server's processes need a moment to notice. */
    private static boolean mayBeOverSoon(String printed) {
        return printed.contains("pre-existing shared memory block") || printed.contains("lock file");
    }

    /** What pg_ctl looks at: the server writes its state into the file with its process id. */
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
