package rookery.sync.testing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
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
import rookery.platform.log.LogPublisher;

/** Sync nodes with a real Kafka and PostgreSQL, between owners of the logs that follow a script. */
public final class World implements AutoCloseable {
    public static final String KEY = "a secret of the tests, long enough for it";

    private final EmbeddedKafka kafka = TestServers.newKafka();
    private final Database database = TestServers.database("sync-service");
    private final DefaultKafkaProducerFactory<String, byte[]> producers;
    public final LogPublisher roomPublisher;
    private final LogPublisher userPublisher;
    private final EphemeralPublisher ephemeralPublisher;
    public final ScriptedRooms rooms;
    public final ScriptedUsers users;
    public final ScriptedCounts counts;
    public final ScriptedService roomService;
    public final ScriptedService authService;
    public final ScriptedService pushService;
    private final List<SyncNode> nodes = new ArrayList<>();

    public World() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 3000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2000);
        producers = new DefaultKafkaProducerFactory<>(settings, new StringSerializer(), new ByteArraySerializer());
        var template = new KafkaTemplate<>(producers);
        roomPublisher = new LogPublisher(Topics.ROOM_LOG, template, new SimpleMeterRegistry());
        userPublisher = new LogPublisher(Topics.USER_LOG, template, new SimpleMeterRegistry());
        ephemeralPublisher = new EphemeralPublisher(template, Clock.systemUTC(), new SimpleMeterRegistry());
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

    /** Room-service tells that somebody types (0 ms: has stopped), as of that position of the room's shard. */
    public void type(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis) {
        type(tenant, room, user, pos, timeoutMillis, Clock.systemUTC().millis());
    }

    /** The same, said at that time. */
    public void type(TenantId tenant, RoomId room, UserId user, long pos, long timeoutMillis, long ts) {
        ephemeralPublisher.publish(new Typing(tenant, room, user, pos, timeoutMillis, ts));
    }

    /**
     * Starts a node and returns when it is ready. It does not know what was before it, which tests of questions to the owners need,
     * and nobody is told who is online, which would end polls at any time.
     */
    public SyncNode startNode() {
        return startNode("--rookery.tenants[0].presence=false", "--rookery.sync.ring.fill-entries=0");
    }

    /** Starts a node with these settings besides, and returns when it is ready. */
    public SyncNode startNode(String... more) {
        var settings = new ArrayList<>(List.of(
                "--spring.r2dbc.url=" + database.r2dbcUrl(),
                "--spring.r2dbc.username=" + database.username(),
                "--spring.r2dbc.password=" + database.password(),
                "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--rookery.internal.key=" + KEY,
                "--rookery.instances.addresses.room-service=" + roomService.address(),
                "--rookery.instances.addresses.auth-service=" + authService.address(),
                "--rookery.instances.addresses.push-service=" + pushService.address(),
                // a node that waits no longer tells counts a moment later, which a test of a busy machine takes for a
                // fault
                "--rookery.sync.unread.patience=30s",
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=s",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=other"));
        settings.addAll(List.of(more));
        var node = new SyncNode(settings);
        nodes.add(node);
        node.awaitReady();
        return node;
    }

    @Override
    public void close() {
        nodes.forEach(SyncNode::close);
        roomPublisher.destroy();
        userPublisher.destroy();
        ephemeralPublisher.destroy();
        producers.destroy();
        roomService.close();
        authService.close();
        pushService.close();
        kafka.kill();
    }
}
