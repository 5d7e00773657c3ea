// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.ContainerNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ComposeContainer;
import rookery.containers.Docker;
import rookery.containers.Images;
import rookery.e2e.lossless.LosslessApplication;
import rookery.embedded.Deadline;
import rookery.embedded.Folders;
import rookery.embedded.Ports;

/**
 * The compose file as operators bring it up, with the images that {@code deploy/compose/build} has made.
 * {@code deploy/compose/drill} is the long form.
 */
class ComposeContainers {
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(500);
    /** How long the fault lasts; nothing is waited for. Longer than what a service lets a silent connection be. */
    private static final Duration CUT = Duration.ofSeconds(20);

    private static final List<String> KILLED = List.of(
            "gateway", "auth-service", "room-service", "sync-service", "push-service", "redis", "kafka", "postgres");

    private final Path work = Folders.make(Path.of("target/compose").toAbsolutePath());
    private final String url;
    private final Map<String, String> environment;

    ComposeContainers() {
        int port = Ports.free();
        url = "http://localhost:" + port;
        environment = Map.of("ROOKERY_PORT", Integer.toString(port), "ROOKERY_MAX_REQUESTS", "1000000000");
    }

    @Test
    void nothingIsLostWhileContainersAreScaledKilledAndCutOff() throws Exception {
        Docker.require();
        assertThat(finished(script("deploy/compose/secrets"))).isZero();
        try (var compose =
                new ComposeContainer("rookery-e2e", Images.composeFile().toFile())) {
            compose.withPull(false)
                    .withEnv(environment)
                    .withStartupTimeout(START_PATIENCE)
                    .start();
            awaitReady();
            assertThat(finished(script("deploy/self-check", url))).isZero();
            talkThrough(this::trouble);
        }
    }

    private interface Trouble {
        void make() throws IOException, InterruptedException;
    }

    /** 20 clients talk during a disturbance; then their records are checked. */
    private void talkThrough(Trouble trouble) throws IOException, InterruptedException {
        var stop = work.resolve("stop");
        Folders.delete(stop);
        var record = work.resolve("talk.log");
        var talk = java(
                        LosslessApplication.class,
                        "--url",
                        url,
                        "--database",
                        address("postgres") + ":5432",
                        "--passwords",
                        Images.root().resolve("deploy/compose/secrets.d").toString(),
                        "--rate",
                        "20",
                        "--seconds",
                        "3600",
                        "--stop-file",
                        stop.toString())
                .redirectErrorStream(true)
                .redirectOutput(record.toFile())
                .start();
        try {
            assertThat(Deadline.in(PATIENCE).until(LOOK, () -> text(record).contains("gathered")))
                    .as(text(record))
                    .isTrue();
            trouble.make();
            assertThat(talk.isAlive()).as(text(record)).isTrue();
            Files.createFile(stop);
            assertThat(talk.waitFor()).as(text(record)).isZero();
        } finally {
            talk.destroy();
        }
    }

    private void trouble() throws IOException, InterruptedException {
        var scale = new ProcessBuilder(
                "docker",
                "compose",
                "--project-name",
                project(),
                "--file",
                Images.composeFile().toString(),
                "up",
                "--detach",
                "--no-recreate",
                "--wait",
                "--scale",
                "sync-service=2",
                "sync-service");
        scale.environment().putAll(environment);
        assertThat(finished(scale)).isZero();
        for (var service : KILLED) {
            var id = container(service).getId();
            DockerClientFactory.lazyClient().killContainerCmd(id).exec();
            DockerClientFactory.lazyClient().startContainerCmd(id).exec();
            awaitHealthy(id);
        }
        cutOff("room-service", "data");
        cutOff("sync-service", "inner");
    }

    /** From one of its networks for a while, as a broken switch does. */
    private static void cutOff(String service, String network) throws InterruptedException {
        var client = DockerClientFactory.lazyClient();
        var id = container(service).getId();
        var full = project() + "_" + network;
        client.disconnectFromNetworkCmd()
                .withContainerId(id)
                .withNetworkId(full)
                .exec();
        Thread.sleep(CUT);
        client.connectToNetworkCmd()
                .withContainerId(id)
                .withNetworkId(full)
                .withContainerNetwork(new ContainerNetwork().withAliases(service))
                .exec();
        awaitHealthy(id);
    }

    private static void awaitHealthy(String id) {
        assertThat(Deadline.in(PATIENCE).until(LOOK, () -> isHealthy(id)))
                .as("container %s", id)
                .isTrue();
    }

    /** Whether the container is healthy; running is enough without a health check. */
    private static boolean isHealthy(String id) {
        var state =
                DockerClientFactory.lazyClient().inspectContainerCmd(id).exec().getState();
        return state.getHealth() == null
                ? Boolean.TRUE.equals(state.getRunning())
                : "healthy".equals(state.getHealth().getStatus());
    }

    private void awaitReady() {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/_api/client/health/ready"))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            assertThat(Deadline.in(START_PATIENCE).until(LOOK, () -> isOk(http, request)))
                    .isTrue();
        }
    }

    private static boolean isOk(HttpClient http, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String address(String service) {
        var networks =
                Objects.requireNonNull(container(service).getNetworkSettings()).getNetworks();
        return Objects.requireNonNull(networks.values().iterator().next().getIpAddress());
    }

    private static String project() {
        return label(container("gateway"), "project");
    }

    private static String label(Container container, String name) {
        return container.getLabels().getOrDefault("com.docker.compose." + name, "");
    }

    /** The first one of the service. */
    private static Container container(String service) {
        return DockerClientFactory.lazyClient()
                .listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(
                        Map.of("com.docker.compose.service", service, "com.docker.compose.container-number", "1"))
                .exec()
                .stream()
                .filter(found -> label(found, "project").startsWith("rookery-e2e"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + service));
    }

    /** A program of this module in a JVM of its own. */
    private static ProcessBuilder java(Class<?> program, String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Dlogback.configurationFile=rookery/e2e/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static ProcessBuilder script(String path, String... arguments) {
        var command = new ArrayList<>(List.of(Images.root().resolve(path).toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static int finished(ProcessBuilder command) throws IOException, InterruptedException {
        return command.inheritIO().start().waitFor();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
