// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import rookery.embedded.Database;
import rookery.embedded.EmbeddedKafka;
import rookery.embedded.TestServers;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.model.topic.Topics;
import rookery.platform.ephemeral.EphemeralPublisher;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.KeyDerivation;
import rookery.platform.http.ServiceName;
import rookery.platform.kafka.RecordSeal;
import rookery.platform.kafka.SealingInterceptor;
import rookery.platform.log.append.LogPublisher;
import rookery.testing.Signing;

/**
 * Sync nodes with a real Kafka and PostgreSQL, and scripted owners of the logs.
 *
 * <p>An extension of JUnit, registered in a static field. A world costs a broker and a node. Classes that leave no trace use the
 * {@link #shared} world; classes that break or stop services have their {@link #own}.
 */
public final class World implements BeforeAllCallback, AfterAllCallback {

    private static final String[] PLAIN = {"--rookery.tenants[0].presence=false", "--rookery.sync.ring.fill-entries=0"};
    private static final AtomicInteger USERS = new AtomicInteger();

    private final EmbeddedKafka kafka = TestServers.newKafka();
    private final Database database = TestServers.database("sync-service");
    private final DefaultKafkaProducerFactory<String, byte[]> producers;
    public final LogPublisher roomPublisher;
    private final LogPublisher userPublisher;
    private final KafkaTemplate<String, byte[]> ephemeralTemplate;
    private final EphemeralPublisher ephemeralPublisher;
    public final ScriptedRooms rooms;
    public final ScriptedUsers users;
    public final ScriptedCounts counts;
    public final ScriptedService roomService;
    public final ScriptedService authService;
    public final ScriptedService pushService;
    private final List<SyncNode> nodes = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final boolean isShared;
    private @Nullable SyncNode node;

    private static final class SharedInstance {
        static final World WORLD = new World(true);
    }

    /** The world of all classes with {@link SharesWorld}, used by one class at a time; ends with the JVM. */
    public static World shared() {
        return SharedInstance.WORLD;
    }

    /** A world for one class; ends with the class. */
    public static World own() {
        return new World(false);
    }

    /** A new user of the first tenant; the name has the given prefix. */
    public static UserId user(String name) {
        return new UserId("@" + name + USERS.incrementAndGet() + ":s");
    }

    private World(boolean isShared) {
        this.isShared = isShared;
        Map<String, Object> settings = new HashMap<>(kafka.adminSettings()); // for several services
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 3000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2000);
        settings.put(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, SealingInterceptor.class.getName());
        settings.put(
                "rookery.record-seal",
                new RecordSeal(
                        new InternalProperties(KeyDerivation.keysOf(ServiceName.SYNC, Signing.MASTER)),
                        new SimpleMeterRegistry()));
        producers = new DefaultKafkaProducerFactory<>(settings, new StringSerializer(), new ByteArraySerializer());
        var template = new KafkaTemplate<>(producers);
        roomPublisher = new LogPublisher(Topics.ROOM_LOG, template, new SimpleMeterRegistry());
        userPublisher = new LogPublisher(Topics.USER_LOG, template, new SimpleMeterRegistry());
        // patient, because typing lost by a busy machine would fail tests
        Map<String, Object> patient =
                Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
        ephemeralTemplate = new KafkaTemplate<>(producers, patient);
        ephemeralPublisher = new EphemeralPublisher(ephemeralTemplate, Clock.systemUTC(), new SimpleMeterRegistry());
        rooms = new ScriptedRooms(roomPublisher);
        users = new ScriptedUsers(userPublisher);
        roomService = new ScriptedService(rooms::answer);
        authService = new ScriptedService(users::answer);
        counts = new ScriptedCounts(rooms);
        pushService = new ScriptedService(counts::answer);
    }

    public EmbeddedKafka kafka() {
        return kafka;
    }

    /** Publishes that a user types as of a position of the room's shard; 0 ms means stopped. */
    public void type(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis) {
        type(tenant, room, user, pos, timeoutMillis, Clock.systemUTC().millis());
    }

    /** The same at a given time. */
    public void type(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis, long ts) {
        ephemeralPublisher.publish(new Typing(tenant, room, user, pos, timeoutMillis, ts));
    }

    /** A client that polls until stopped, or until the end of the class, each time at the supplied node. */
    public Reader reader(UserId user, Supplier<SyncNode> from) {
        var reader = new Reader(user, from);
        readers.add(reader);
        return reader;
    }

    /** The shared node of this world, with the settings of {@link #startNode()}. */
    public SyncNode node() {
        if (node == null) {
            node = start(List.of(PLAIN));
        }
        return node;
    }

    /**
     * Starts a node and waits for readiness; the node ends with the class. The node has no entries from before its start, which
     * tests of calls to the owners need, and no presence, which would end polls at any time.
     */
    public SyncNode startNode() {
        return startNode(PLAIN);
    }

    /** Starts a node with further settings and waits for readiness; the node ends with the class. */
    public SyncNode startNode(String... more) {
        var started = start(List.of(more));
        nodes.add(started);
        return started;
    }

    private SyncNode start(List<String> more) {
        var settings = new ArrayList<>(List.of(
                Signing.keysOf(ServiceName.SYNC),
                "--rookery.instances.addresses.room-service=" + roomService.address(),
                "--rookery.instances.addresses.auth-service=" + authService.address(),
                "--rookery.instances.addresses.push-service=" + pushService.address(),
                // with the default patience, a busy machine would send counts later, and fail the test
                "--rookery.sync.unread.patience=30s",
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=s",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=other"));
        settings.addAll(database.springArguments());
        settings.addAll(kafka.springArgumentsOf("sync-service"));
        settings.addAll(more);
        var started = new SyncNode(settings);
        started.awaitReady();
        return started;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isShared) {
            if (!context.getRequiredTestClass().isAnnotationPresent(SharesWorld.class)) {
                throw new IllegalStateException(
                        "annotate the class with @SharesWorld, or other classes use the world concurrently");
            }
            context.getRoot()
                    .getStore(Namespace.GLOBAL)
                    .computeIfAbsent(World.class, _ -> (AutoCloseable) this::end, AutoCloseable.class);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        readers.forEach(Reader::stop); // a reader without a node would occupy a core during later classes
        readers.clear();
        nodes.forEach(SyncNode::close);
        nodes.clear();
        if (isShared) {
            behave();
        } else {
            end();
        }
    }

    /** Resets the scripted services, which a failed class may have left in any state. */
    private void behave() {
        rooms.linesMax = Integer.MAX_VALUE;
        counts.goOn();
        for (var service : List.of(roomService, authService, pushService)) {
            service.setAway(false);
            service.release();
        }
    }

    private void end() {
        if (node != null) {
            node.close();
        }
        roomPublisher.destroy();
        userPublisher.destroy();
        ephemeralPublisher.destroy();
        ephemeralTemplate.destroy();
        producers.destroy();
        roomService.close();
        authService.close();
        pushService.close();
        kafka.kill();
    }
}
