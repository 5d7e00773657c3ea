// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import rookery.embedded.Child;
import rookery.embedded.Deadline;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;

/** A real S3 server, S3Proxy over a folder, with one bucket; a process of its own, since its libraries are older than ours. */
public final class S3Server implements AutoCloseable {
    private static final Path JARS = Path.of("..", "deploy", "s3-server", "target", "lib");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String BUCKET = "media";

    private final Path folder = TestServers.folder("s3");
    private final int port = Ports.free();
    private Child child;

    private S3Server() {
        try {
            Files.createDirectories(folder.resolve("data").resolve(BUCKET));
            Files.writeString(folder.resolve("s3proxy.properties"), """
                    s3proxy.endpoint=http://127.0.0.1:%d
                    s3proxy.authorization=aws-v2-or-v4
                    s3proxy.identity=key
                    s3proxy.credential=secret
                    jclouds.provider=filesystem-nio2
                    jclouds.identity=unused
                    jclouds.credential=unused
                    jclouds.filesystem.basedir=%s
                    """.formatted(port, folder.resolve("data")));
            Files.writeString(folder.resolve("logback.xml"), """
                    <configuration>
                      <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
                        <encoder><pattern>%d %-5level %logger{0} %msg%n</pattern></encoder>
                      </appender>
                      <root level="WARN"><appender-ref ref="out"/></root>
                    </configuration>
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        child = run();
    }

    public static S3Server start() {
        return new S3Server();
    }

    private Child run() {
        var started = Child.start(new Child.Program(
                "S3Proxy",
                List.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                        "-cp",
                        JARS.toAbsolutePath().normalize() + "/*",
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        folder.resolve("s3proxy.properties").toString()),
                folder,
                folder.resolve("s3proxy.log"),
                Child.Signal.KILL));
        Deadline.in(PATIENCE).until(() -> answers() || !started.isAlive());
        if (!started.isAlive()) {
            throw new IllegalStateException("S3Proxy did not start: " + started.lastWords() + " (first: mvn verify)");
        }
        return started;
    }

    private boolean answers() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Settings of a room-service that stores files here. */
    public String[] settings() {
        return Stream.of(
                        "name=" + BUCKET,
                        "prefix=files/",
                        "endpoint=http://127.0.0.1:" + port,
                        "access-key=key",
                        "secret-key=secret")
                .map(setting -> "--rookery.room.media.bucket." + setting)
                .toArray(String[]::new);
    }

    RoomMediaProperties.Bucket bucket() {
        return new RoomMediaProperties.Bucket(
                BUCKET, "http://127.0.0.1:" + port, "us-east-1", "files/", "key", "secret", true);
    }

    /** Kills the process. */
    public void kill() {
        child.kill();
    }

    /** Starts the process again after a kill. */
    public void startAgain() {
        child = run();
    }

    @Override
    public void close() {
        child.kill();
    }
}
