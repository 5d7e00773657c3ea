// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Kafka broker (KRaft, one node) in a child JVM on the same class path, with Rookery's topics. Its folder keeps records and
 * port, so that clients find a restarted broker at the same address.
 */
public final class EmbeddedKafka implements AutoCloseable {
    /**
     * For the JVMs of the broker and of all clients. Kafka upper-cases protocol names in the user's language, in which a Turkish
     * or Azeri i becomes another letter.
     */
    public static final String LANGUAGE = "-Duser.language=en";

    /** JVM flags of the broker: 190 MB resident were measured with all topics and seven services. */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xms64m",
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=64m",
            "-Djdk.nio.maxCachedBufferSize=262144", // each thread caches a direct buffer of its largest write
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            LANGUAGE,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dlogback.configurationFile=rookery/embedded/kafka-logback.xml",
            "-Dorg.springframework.boot.logging.LoggingSystem=none");

    /** The broker makes this file when the topics and the rights exist. */
    private static final String READY = "ready";

    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);
    private static final Duration TRAINING_STOP_PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final List<String> jvmFlags;
    private final int port;
    private final int controllerPort;
    private final KafkaUsers users;
    private volatile Child child;

    private EmbeddedKafka(Path folder, List<String> jvmFlags) {
        this.folder = folder;
        this.jvmFlags = jvmFlags;
        Leftovers.end(folder, "java");
        this.port = Ports.remembered(folder.resolve("port"));
        this.controllerPort = Ports.remembered(folder.resolve("controller-port"));
        this.users = KafkaUsers.in(users());
        this.child = launch();
    }

    private Path users() {
        return folder.resolve("users.properties");
    }

    /**
     * Starts the broker. Returns when the topics exist.
     *
     * @param folder of this broker only; formatted on the first start
     * @param jvmFlags further JVM flags, such as {@code -XX:TieredStopAtLevel=1} for a short life
     */
    public static EmbeddedKafka start(Path folder, List<String> jvmFlags) {
        var kafka = begin(folder, jvmFlags);
        kafka.awaitTopics();
        return kafka;
    }

    /**
     * Starts the broker's process and returns before the broker answers, so that clients can start beside it. Of a new folder the
     * topics and the rights exist on return: clients take a missing right for a refusal.
     */
    public static EmbeddedKafka begin(Path folder, List<String> jvmFlags) {
        boolean isNew = !Files.exists(folder.resolve(READY));
        var kafka = new EmbeddedKafka(Folders.make(folder.toAbsolutePath().normalize()), List.copyOf(jvmFlags));
        if (isNew) {
            kafka.awaitTopics();
        }
        return kafka;
    }

    /** Returns when the topics exist. */
    public void awaitTopics() {
        awaitTopics(child);
    }

    /** The address of the broker, such as {@code 127.0.0.1:9092}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Settings of a Kafka client with the limited rights of a service, such as {@code room-service}. */
    public Map<String, Object> settingsOf(String service) {
        var settings = new HashMap<String, Object>(users.clientSettings(service));
        settings.put("bootstrap.servers", bootstrapServers());
        return settings;
    }

    /** Settings of a Kafka client with all rights. */
    public Map<String, Object> adminSettings() {
        return settingsOf(KafkaUsers.ADMIN);
    }

    /** {@link #settingsOf} as Spring Boot properties. */
    public Map<String, String> springPropertiesOf(String service) {
        var properties = new HashMap<String, String>();
        properties.put("spring.kafka.bootstrap-servers", bootstrapServers());
        users.clientSettings(service).forEach((key, value) -> properties.put("spring.kafka.properties." + key, value));
        return properties;
    }

    /** {@link #springPropertiesOf} as command line arguments. */
    public List<String> springArgumentsOf(String service) {
        return springPropertiesOf(service).entrySet().stream()
                .map(property -> "--%s=%s".formatted(property.getKey(), property.getValue()))
                .toList();
    }

    public int port() {
        return port;
    }

    public Child child() {
        return child;
    }

    /** Ends the broker with SIGKILL; {@link #startAgain} restarts the broker with its records. */
    public void kill() {
        child.kill();
    }

    /** Restarts an ended broker on the same port. Returns when the topics exist. */
    public void startAgain() {
        child = launch();
        awaitTopics(child);
    }

    @Override
    public void close() {
        boolean writesCache = jvmFlags.stream().anyMatch(flag -> flag.startsWith("-XX:AOTCacheOutput"));
        child.stop(Child.Signal.TERM, writesCache ? TRAINING_STOP_PATIENCE : STOP_PATIENCE);
    }

    private Child launch() {
        Folders.delete(folder.resolve(READY));
        return Child.start(new Child.Program(
                "Kafka", List.of(), command(), folder, folder.resolve("kafka.log"), Child.Signal.KILL));
    }

    private void awaitTopics(Child started) {
        var ready = folder.resolve(READY);
        Deadline.in(START_PATIENCE).until(() -> Files.exists(ready) || !started.isAlive());
        if (!started.isAlive() || !Files.exists(ready)) {
            started.kill();
            throw new ServerException(
                    "Kafka did not start: %s (all of it in %s)".formatted(started.lastWords(), started.log()));
        }
    }

    private List<String> command() {
        var command = new ArrayList<String>();
        command.add(Child.java());
        command.addAll(JVM_FLAGS);
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(Child.classPath());
        command.add(KafkaServerApplication.class.getName());
        command.addAll(List.of(
                folder.resolve("data").toString(),
                Integer.toString(port),
                Integer.toString(controllerPort),
                folder.resolve(READY).toString(),
                users().toString()));
        return command;
    }
}
