// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * The main class of the broker's JVM. Formats the folder on the first start, makes the topics, and creates the file {@code
 * ready}. Ends when standard input ends, because then the starter is dead.
 */
final class KafkaServerApplication {
    private static final String CLIENTS = "CLIENTS";
    private static final String CONTROLLER = "CONTROLLER";
    private static final int NODE = 1;

    private KafkaServerApplication() {}

    public static void main(String[] arguments) throws Exception {
        var data = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        int controllerPort = Integer.parseInt(arguments[2]);
        var ready = Path.of(arguments[3]);
        var users = KafkaUsers.in(Path.of(arguments[4]));
        Child.endWithParent();
        if (!Files.exists(data.resolve("meta.properties"))) {
            format(data);
        }
        var server = new KafkaRaftServer(
                new KafkaConfig(settings(data, "127.0.0.1:" + port, "127.0.0.1:" + controllerPort, users)),
                Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::shutdown));
        server.startup();
        var client = new HashMap<String, Object>(users.clientSettings(KafkaUsers.ADMIN));
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + port);
        try (var admin = Admin.create(client)) {
            KafkaTopics.create(admin, (short) 1, true);
        }
        Files.createFile(ready);
        server.awaitShutdown();
    }

    private static void format(Path data) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(System.out, true, System.out.charset()))
                .setNodeId(NODE)
                .setClusterId(Uuid.randomUuid().toString())
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .addDirectory(data.toString())
                .setMetadataLogDirectory(data.toString())
                .setControllerListenerName(CONTROLLER)
                .run();
    }

    private static Properties settings(Path data, String address, String controller, KafkaUsers users) {
        var settings = new Properties();
        settings.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                Integer.toString(NODE),
                "log.dirs",
                data.toString(),
                "listeners",
                "%s://%s,%s://%s".formatted(CLIENTS, address, CONTROLLER, controller),
                "advertised.listeners",
                CLIENTS + "://" + address,
                "controller.listener.names",
                CONTROLLER,
                "listener.security.protocol.map",
                "%s:SASL_PLAINTEXT,%s:SASL_PLAINTEXT".formatted(CLIENTS, CONTROLLER),
                "controller.quorum.voters",
                NODE + "@" + controller,
                "auto.create.topics.enable",
                "false"));
        settings.putAll(Map.of( // SASL for all clients, and ACLs for the services
                "inter.broker.listener.name",
                CLIENTS,
                "sasl.enabled.mechanisms",
                KafkaUsers.MECHANISM,
                "sasl.mechanism.inter.broker.protocol",
                KafkaUsers.MECHANISM,
                "sasl.mechanism.controller.protocol",
                KafkaUsers.MECHANISM,
                "listener.name.clients.plain.sasl.jaas.config",
                users.listenerJaas(),
                "listener.name.controller.plain.sasl.jaas.config",
                users.listenerJaas(),
                "authorizer.class.name",
                StandardAuthorizer.class.getName(),
                "super.users",
                "User:" + KafkaUsers.ADMIN));
        settings.putAll(Map.of( // a single broker
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "share.coordinator.state.topic.replication.factor", "1",
                "share.coordinator.state.topic.min.isr", "1",
                "offsets.topic.num.partitions", "1",
                "transaction.state.log.num.partitions", "1"));
        settings.putAll(Map.of( // few threads and buffers, for quick starts and stops
                "num.network.threads", "2",
                "num.io.threads", "2",
                "background.threads", "2",
                "log.cleaner.dedupe.buffer.size", "2097152",
                "log.cleaner.io.buffer.size", "131072",
                "log.index.size.max.bytes", "1048576",
                "group.initial.rebalance.delay.ms", "0",
                "log.retention.check.interval.ms", "60000"));
        return settings;
    }
}
