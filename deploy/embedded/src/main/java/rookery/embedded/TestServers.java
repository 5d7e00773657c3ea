package rookery.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import rookery.embedded.timing.Phase;

/**
 * The real servers for tests: at most one of each per test JVM, each started when first asked for, all gone with the JVM.
 *
 * <pre>{@code
 * var database = TestServers.database("room-service"); // fresh, migrated
 * var arguments = new ArrayList<>(database.springArguments());
 * arguments.add("--rookery.redis.url=" + TestServers.redis().url());
 * }</pre>
 */
public final class TestServers {
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);
    private static final String PASSWORD = Secrets.random();
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final Map<String, String> TEMPLATES = new ConcurrentHashMap<>();
    /** Whether tests use the {@link OtherServers} that are found, and those of this class only for faults. */
    private static final String USES_OTHERS = "rookery.test.other-servers";

    private static final Optional<OtherServers> OTHERS = Boolean.getBoolean(USES_OTHERS)
            ? Optional.of(ServiceLoader.load(OtherServers.class).findFirst().orElseThrow())
            : Optional.empty();

    private TestServers() {}

    /** The JVM's PostgreSQL, with fsync on. Tests of faults may kill it and start it again. */
    public static EmbeddedPostgres postgres() {
        return Phase.STARTING.during(() -> Postgres.SERVER);
    }

    /** With what a service comes into the Kafka of this JVM's tests, as arguments of Spring. */
    public static List<String> kafkaArgumentsOf(String service) {
        return OTHERS.map(OtherServers::kafkaArguments).orElseGet(() -> kafka().springArgumentsOf(service));
    }

    /** For {@code rookery.redis.url}. */
    public static String redisUrl() {
        return OTHERS.map(OtherServers::redisUrl).orElseGet(() -> redis().url());
    }

    /** The JVM's Kafka with the topics of Rookery; see {@link #emptyTopics}. */
    public static EmbeddedKafka kafka() {
        return Phase.STARTING.during(() -> Kafka.SERVER);
    }

    /**
     * A broker of the caller's own, for tests that follow the logs of their own databases while other classes run, or that kill
     * it. Takes about two seconds.
     */
    public static EmbeddedKafka newKafka() {
        var kafka = Phase.STARTING.during(() -> EmbeddedKafka.start(folder("kafka"), Kafka.FLAGS));
        Home.atEnd(kafka::kill);
        return kafka;
    }

    /** The JVM's Redis. Tests of different tenants do not meet in it, others may want to flush it. */
    public static EmbeddedRedis redis() {
        return Phase.STARTING.during(() -> Redis.SERVER);
    }

    /**
     * A database of its own with one service's schema, role and migrations, such as {@code database("room-service")}.
     *
     * @return connected as that service's role
     */
    public static Database database(String service) {
        return databases(service).getFirst();
    }

    /** One fresh database with the schemas of several services. Returns one access for each, in the same order. */
    public static List<Database> databases(String... services) {
        return Phase.STARTING.during(() -> newDatabases(services));
    }

    private static List<Database> newDatabases(String... services) {
        var superuser = superuser("postgres");
        var template = template(superuser, List.of(services));
        var name = template + "_" + DATABASES.incrementAndGet();
        superuser.execute("CREATE DATABASE \"%s\" TEMPLATE \"%s\"".formatted(name, template));
        return List.of(services).stream()
                .map(service -> superuser.named(name).as(Migrations.role(service), PASSWORD))
                .toList();
    }

    /** The superuser's view of such a database, for what a service's role may not do. */
    public static Database superuserOf(Database database) {
        return superuser(database.name());
    }

    private static Database superuser(String database) {
        return OTHERS.map(others -> others.superuser(database))
                .orElseGet(() -> postgres().superuser(database));
    }

    /**
     * Forgets all records of all topics. A test class whose databases are fresh calls this first: the positions of an earlier
     * database would be mistaken for its own.
     */
    public static void emptyTopics() {
        try (var admin = Admin.create(kafka().adminSettings())) {
            KafkaTopics.empty(admin);
        }
    }

    /** A folder of this JVM's that is removed at its end, for what a test writes. */
    public static Path folder(String name) {
        return Folders.make(Home.FOLDER.resolve(name + "-" + DATABASES.incrementAndGet()));
    }

    /** Where the servers' programs are unpacked. */
    public static Path binaries() {
        return Home.BINARIES;
    }

    /** Migrating takes a second, copying a migrated database a few hundredths of one. */
    private static synchronized String template(Database superuser, List<String> services) {
        return TEMPLATES.computeIfAbsent(String.join("_", services).replace("-service", ""), name -> {
            Migrations.createDatabase(superuser, name);
            Migrations.apply(
                    superuser.named(name), services.stream().collect(Collectors.toMap(it -> it, _ -> PASSWORD)));
            return name;
        });
    }

    /** The folder of this JVM's servers, and their end. */
    private static final class Home {
        static final Path TARGET = Path.of("target").toAbsolutePath();
        static final Path FOLDER = Folders.make(TARGET.resolve("test-servers")
                .resolve(Long.toString(ProcessHandle.current().pid())));
        static final Path BINARIES = binaries();

        @SuppressWarnings("UnusedVariable") // for what its making does
        private static final boolean MADE = make();

        private static final List<Runnable> ENDS = new ArrayList<>();

        private static boolean make() {
            removeOthersThatDied();
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("test-servers-end").unstarted(Home::end));
            return true;
        }

        static synchronized void atEnd(Runnable end) {
            ENDS.add(end);
        }

        private static synchronized void end() {
            ENDS.forEach(Runnable::run);
            Folders.delete(FOLDER);
        }

        /** A JVM that was killed could not clean up; its servers died with it. */
        private static void removeOthersThatDied() {
            try (var others = Files.newDirectoryStream(FOLDER.getParent(), "[1-9]*")) {
                for (var other : others) {
                    long pid = Long.parseLong(other.getFileName().toString());
                    if (ProcessHandle.of(pid).isEmpty()) {
                        Folders.delete(other);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Unpacked once for all modules: in the target folder of the outermost folder with a pom. */
        private static Path binaries() {
            return Folders.outermostWithPom(Path.of("").toAbsolutePath())
                    .resolve("target")
                    .resolve("servers");
        }
    }

    private static final class Postgres {
        static final EmbeddedPostgres SERVER = EmbeddedPostgres.start(Home.FOLDER.resolve("pg"), Home.BINARIES);

        static {
            Home.atEnd(() -> SERVER.child().stop(Child.Signal.QUIT, KILL_PATIENCE));
        }
    }

    private static final class Kafka {
        static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1");
        static final EmbeddedKafka SERVER = EmbeddedKafka.start(Home.FOLDER.resolve("kafka"), FLAGS);

        static {
            Home.atEnd(() -> SERVER.kill());
        }
    }

    private static final class Redis {
        static final EmbeddedRedis SERVER = EmbeddedRedis.start(Home.FOLDER.resolve("redis"), Home.BINARIES);

        static {
            Home.atEnd(() -> SERVER.kill());
        }
    }
}
