// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Redis 7 without persistence, with a password, on a port of the loopback interface. */
public final class EmbeddedRedis implements AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofSeconds(20);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final int SOCKET_TIMEOUT_MILLIS = 1000;

    private final Path folder;
    private final Path program;
    private final String password;
    private final int port;
    private volatile Child child;

    private EmbeddedRedis(Path folder, Path program) {
        this.folder = folder;
        this.program = program;
        this.password = Secrets.in(folder.resolve("password"));
        Leftovers.end(folder, "redis-server");
        this.port = Ports.remembered(folder.resolve("port"));
        this.child = run();
    }

    /**
     * Starts the server. Returns when the server answers.
     *
     * @param folder of this server only, with port, password, configuration and log
     * @param binaries the folder of unpacked programs, shared with other runs
     */
    public static EmbeddedRedis start(Path folder, Path binaries) {
        return new EmbeddedRedis(Folders.make(folder.toAbsolutePath().normalize()), new Binaries(binaries).redis());
    }

    /** The value of {@code rookery.redis.url}, with the password. */
    public String url() {
        return "redis://:%s@127.0.0.1:%d".formatted(password, port);
    }

    public int port() {
        return port;
    }

    public Child child() {
        return child;
    }

    /** Ends the server with SIGKILL; the data are lost. */
    public void kill() {
        child.kill();
    }

    /** Restarts an ended server, empty, on the same port. */
    public void startAgain() {
        child = run();
    }

    @Override
    public void close() {
        child.stop(Child.Signal.TERM, STOP_PATIENCE);
    }

    private Child run() {
        var configuration = folder.resolve("redis.conf"); // a file, because all users see the arguments of a process
        Folders.writeSecret(configuration, """
                bind 127.0.0.1
                port %d
                requirepass %s
                save ""
                appendonly no
                maxmemory 64mb
                maxmemory-policy allkeys-lru
                dir %s
                logfile ""
                """.formatted(port, password, quoted(folder)));
        var log = folder.resolve("redis.log");
        var started = Child.start(new Child.Program(
                "Redis",
                List.of(),
                List.of(program.toString(), configuration.toString()),
                folder,
                log,
                Child.Signal.KILL));
        boolean isKnown = Deadline.in(START_PATIENCE).until(() -> answers() || !started.isAlive());
        if (!isKnown || !started.isAlive()) {
            started.kill();
            throw new ServerException("Redis did not start: %s (all of it in %s)".formatted(started.lastWords(), log));
        }
        return started;
    }

    private static String quoted(Path path) {
        return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            socket.getOutputStream().write("AUTH %s\r\n".formatted(password).getBytes(StandardCharsets.US_ASCII));
            var answer = socket.getInputStream().readNBytes(3);
            return new String(answer, StandardCharsets.US_ASCII).equals("+OK");
        } catch (IOException _) {
            return false;
        }
    }
}
