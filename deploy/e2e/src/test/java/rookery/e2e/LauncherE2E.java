package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.e2e.running.Remains;
import rookery.embedded.Deadline;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.standalone.LauncherProcess;

/** Everything with one command, as one JVM that is stopped and as a cluster that is killed; OneJvmE2E starts again what was killed. */
@ResourceLock(ClusterExtension.ROOKERY_OF_ITS_OWN)
class LauncherE2E {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void everythingStartsAndStopsWhenAsked() throws Exception {
        var data = TestServers.folder("launcher");
        int port = Ports.free();
        try (var launcher = new LauncherProcess("--data=" + data, "--port=" + port, "--max-requests=777")) {
            assertThat(launcher.printedUntil("ready")).last().isEqualTo("ready http://localhost:" + port);
            assertThat(launcher.printedUntil("  started in"))
                    .anyMatch(line -> line.contains("777 requests a minute"))
                    .anyMatch(line -> line.contains("--max-requests"));
            assertThat(status(port, "/_api/client/versions")).isEqualTo(200);
            launcher.askToStop();
            assertThat(launcher.printedToTheEnd()).last().asString().contains("stopped");
            assertThat(launcher.exitValue()).isZero();
        }
        assertNothingIsLeft(data);
    }

    @Test
    void whatIsKilledInAClusterIsStartedAgainWhatIsStoppedIsNotAndAllEndsWithTheLauncher() throws Exception {
        var data = TestServers.folder("cluster");
        int port = Ports.free();
        try (var launcher = new LauncherProcess("--data=" + data, "--port=" + port, "--cluster=room=2")) {
            assertThat(launcher.printedUntil("ready")).last().isEqualTo("ready http://localhost:" + port);
            var killed = new LinkedHashMap<String, Properties>();
            for (var name : List.of("room-service-2", "kafka-1", "postgres-1", "redis-1")) {
                killed.put(name, instance(data, name));
            }
            killed.values()
                    .forEach(instance -> ProcessHandle.of(Long.parseLong(instance.getProperty("pid")))
                            .orElseThrow()
                            .destroyForcibly());
            killed.forEach((name, before) -> {
                assertThat(Deadline.in(PATIENCE).until(() -> runsAgain(data, name, before)))
                        .as(name)
                        .isTrue();
                assertThat(instance(data, name).getProperty("address")).isEqualTo(before.getProperty("address"));
            });
            assertThat(asked(data, "--add=sync")).contains("sync-service-2 was added");
            assertThat(status(port, "/_api/client/health/ready")).isEqualTo(200);
            assertThat(instance(data, "sync-service-2")).containsKey("address");
            assertThat(asked(data, "--stop=sync-service-1")).contains("sync-service-1 was stopped");
            assertThat(instance(data, "sync-service-1")).isEmpty();
            assertThat(asked(data, "--stop=sync-service-2")).contains("the only one");
            assertThat(asked(data, "--kill=nobody-1")).contains("there is no nobody-1");
            launcher.kill();
        }
        assertNothingIsLeft(data);
    }

    /** The words of a second deploy/run on the same data folder. */
    private static String asked(Path data, String request) throws IOException {
        try (var second = new LauncherProcess("--data=" + data, request)) {
            return String.join("\n", second.printedToTheEnd());
        }
    }

    private static boolean runsAgain(Path data, String name, Properties killed) {
        var pid = instance(data, name).getProperty("pid");
        return pid != null && !pid.equals(killed.getProperty("pid"));
    }

    private static Properties instance(Path data, String name) {
        var properties = new Properties();
        try {
            properties.load(
                    new StringReader(Files.readString(data.resolve("instances").resolve(name))));
        } catch (IOException _) {
            // not there, between a death and a new life
        }
        return properties;
    }

    private static int status(int port, String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    private static void assertNothingIsLeft(Path data) {
        assertThat(Deadline.in(PATIENCE).until(() -> Remains.of(data).isEmpty()))
                .as("processes %s", Remains.of(data))
                .isTrue();
    }
}
