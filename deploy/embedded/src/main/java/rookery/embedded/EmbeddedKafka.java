package rookery.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real Kafka broker (KRaft, one node) in a child JVM on our own class path, with Rookery's topics. Its records and its port
 * stay in a folder, so that a broker that comes back is where its clients look for it.
 */
public final class EmbeddedKafka implements AutoCloseable {
    /**
     * For the broker and all its clients, so for every JVM. Kafka upper-cases the names of its protocols in the language of the user, and
     * a Turkish or Azeri i becomes another letter.
     */
    public static final String LANGUAGE = "-Duser.language=en";

    /** What the broker's JVM needs at this size: measured at 190 MB resident with all topics and seven services attached. */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xms64m",
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=64m",
            "-Djdk.nio.maxCachedBufferSize=262144", // each of its threads keeps a direct buffer as large as the largest
            // it needed
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            LANGUAGE,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dlogback.configurationFile=rookery/embedded/kafka-logback.xml",
            "-Dorg.springframework.boot.logging.LoggingSystem=none");

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
        this.child = run();
    }

    private Path users() {
        return folder.resolve("users.properties");
    }

    /**
     * Starts the broker and returns when the topics are there.
     *
     * @param folder its own; formatted on the first start
     * @param jvmFlags in addition to its own, such as {@code -XX:TieredStopAtLevel=1} for a short life
     */
    public static EmbeddedKafka start(Path folder, List<String> jvmFlags) {
        return new EmbeddedKafka(Folders.make(folder.toAbsolutePath().normalize()), List.copyOf(jvmFlags));
    }

    /** Where it listens, such as {@code 127.0.0.1:9092}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** With what a client of Kafka comes in as this service, such as {@code room-service}, which may do only what it must. */
    public Map<String, Object> settingsOf(String service) {
        var settings = new HashMap<String, Object>(users.clientSettings(service));
        settings.put("bootstrap.servers", bootstrapServers());
        return settings;
    }

    /** With what a client comes in who may do everything. */
    public Map<String, Object> adminSettings() {
        return settingsOf(KafkaUsers.ADMIN);
    }

    /** The same as {@link #settingsOf}, by the names that Spring Boot has for it. */
    public Map<String, String> springPropertiesOf(String service) {
        var properties = new HashMap<String, String>();
        properties.put("spring.kafka.bootstrap-servers", bootstrapServers());
        users.clientSettings(service).forEach((key, value) -> properties.put("spring.kafka.properties." + key, value));
        return properties;
    }

    /** The same as {@link #springPropertiesOf}, as arguments of an application. */
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

    /** Ends it as a fault would; {@link #startAgain} brings it back with its records. */
    public void kill() {
        child.kill();
    }

    /** Starts it again after it ended, on the same port. Returns when the topics are there. */
    public void startAgain() {
        child = run();
    }

    @Override
    public void close() {
        boolean writesCache = jvmFlags.stream().anyMatch(flag -> flag.startsWith("-XX:AOTCacheOutput"));
        child.stop(Child.Signal.TERM, writesCache ? TRAINING_STOP_PATIENCE : STOP_PATIENCE);
    }

    private Child run() {
        var ready = folder.resolve("ready");
        Folders.delete(ready);
        var log = folder.resolve("kafka.log");
        var started =
                Child.start(new Child.Program("Kafka", List.of(), command(ready), folder, log, Child.Signal.KILL));
        Deadline.in(START_PATIENCE).until(() -> Files.exists(ready) || !started.isAlive());
        if (!started.isAlive() || !Files.exists(ready)) {
            started.kill();
            throw new ServerException("Kafka did not start: %s (all of it in %s)".formatted(started.lastWords(), log));
        }
        return started;
    }

    private List<String> command(Path ready) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(KafkaServerApplication.class.getName());
        command.addAll(List.of(
                folder.resolve("data").toString(),
                Integer.toString(port),
                Integer.toString(controllerPort),
                ready.toString(),
                users().toString()));
        return command;
    }

    /** The broker works in another folder than we do. */
    private static String absoluteClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
