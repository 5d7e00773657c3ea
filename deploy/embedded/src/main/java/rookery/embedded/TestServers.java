// SPDX-License-Identifier: Apache-2.0
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
 * PostgreSQL, Kafka and Redis for tests: at most one of each in a test JVM, started at the first use, ended with the JVM.
 *
 * <pre>{@code var database = TestServers.database("room-service"); // fresh, migrated var arguments = new
 * ArrayList<>(database.springArguments()); arguments.add("--rookery.redis.url=" + TestServers.redis().url()); }</pre>
 */
public final class TestServers {
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);
    private static final String PASSWORD = Secrets.random();
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final Map<String, String> TEMPLATES = new ConcurrentHashMap<>();
    /** Whether tests use {@link OtherServers}; the servers of this class are then for tests of faults only. */
    private static final String USES_OTHERS = "rookery.test.other-servers";

    private static final Optional<OtherServers> OTHERS = Boolean.getBoolean(USES_OTHERS)
            ? Optional.of(ServiceLoader.load(OtherServers.class).findFirst().orElseThrow())
            : Optional.empty();

    private TestServers() {}

    /** The PostgreSQL of this JVM, with fsync. Tests of faults may kill and restart the server. */
    public static EmbeddedPostgres postgres() {
        return Phase.STARTING.during(() -> Postgres.SERVER);
    }

    /** Spring arguments with the Kafka access of a service. */
    public static List<String> kafkaArgumentsOf(String service) {
        return OTHERS.map(OtherServers::kafkaArguments).orElseGet(() -> kafka().springArgumentsOf(service));
    }

    /** The value of {@code rookery.redis.url}. */
    public static String redisUrl() {
        return OTHERS.map(OtherServers::redisUrl).orElseGet(() -> redis().url());
    }

    /** The Kafka of this JVM with Rookery's topics; see {@link #emptyTopics}. */
    public static EmbeddedKafka kafka() {
        return Phase.STARTING.during(() -> Kafka.SERVER);
    }

    /**
     * A separate broker, for tests that follow the logs of their own databases beside other classes, or that kill the broker. The
     * start takes about two seconds.
     */
    public static EmbeddedKafka newKafka() {
        var kafka = Phase.STARTING.during(() -> EmbeddedKafka.start(folder("kafka"), Kafka.FLAGS));
        Home.atEnd(kafka::kill);
        return kafka;
    }

    /** The Redis of this JVM. Tests of different tenants do not share keys; other tests may have to flush the server. */
    public static EmbeddedRedis redis() {
        return Phase.STARTING.during(() -> Redis.SERVER);
    }

    /**
     * A new database with the schema, role and migrations of one service, such as {@code database("room-service")}.
     *
     * @return access as the role of the service
     */
    public static Database database(String service) {
        return databases(service).getFirst();
    }

    /** A new database with the schemas of several services. Returns the access of each service, in the same order. */
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

    /** The superuser's access to a database of this class, for statements beyond the rights of a service's role. */
    public static Database superuserOf(Database database) {
        return superuser(database.name());
    }

    private static Database superuser(String database) {
        return OTHERS.map(others -> others.superuser(database))
                .orElseGet(() -> postgres().superuser(database));
    }

    /**
     * Deletes all records of all topics. A test class with new databases calls this method first, because old records would have
     * positions of an earlier database.
     */
    public static void emptyTopics() {
        try (var admin = Admin.create(kafka().adminSettings())) {
            KafkaTopics.empty(admin);
        }
    }

    /** A new folder that is deleted with the JVM. */
    public static Path folder(String name) {
        return Folders.make(Home.FOLDER.resolve(name + "-" + DATABASES.incrementAndGet()));
    }

    /** The folder of the unpacked programs. */
    public static Path binaries() {
        return Home.BINARIES;
    }

    /** A migrated database to copy: migrations take a second, a copy a few hundredths. */
    private static synchronized String template(Database superuser, List<String> services) {
        return TEMPLATES.computeIfAbsent(String.join("_", services).replace("-service", ""), name -> {
            Migrations.createDatabase(superuser, name);
            Migrations.apply(
                    superuser.named(name), services.stream().collect(Collectors.toMap(it -> it, _ -> PASSWORD)));
            return name;
        });
    }

    /** The folder and the shutdown of this JVM's servers. */
    private static final class Home {
        static final Path TARGET = Path.of("target").toAbsolutePath();
        static final Path FOLDER = Folders.make(TARGET.resolve("test-servers")
                .resolve(Long.toString(ProcessHandle.current().pid())));
        static final Path BINARIES = binaries();

        @SuppressWarnings("UnusedVariable") // initialized for its side effects
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

        /** Deletes the folders of killed JVMs; their servers ended with them. */
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

        /** In the target folder of the checkout, shared by all modules. */
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
