// SPDX-License-Identifier: Apache-2.0
package rookery.containers;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import rookery.embedded.Database;
import rookery.embedded.KafkaTopics;
import rookery.embedded.OtherServers;
import rookery.embedded.Ports;

/** PostgreSQL, Kafka and Redis in containers, with the images of {@code compose.yaml}. Each starts at its first use. */
public final class ContainerServers implements OtherServers {
    private static final String PASSWORD = "for a test";
    private static final int READABLE = 0444;

    @Override
    public Database superuser(String database) {
        return new Database(
                Postgres.SERVER.getHost(),
                Postgres.SERVER.getMappedPort(Postgres.PORT),
                database,
                "postgres",
                PASSWORD);
    }

    @Override
    public List<String> kafkaArguments() {
        return List.of("--spring.kafka.bootstrap-servers=" + Kafka.bootstrapServers());
    }

    @Override
    public String redisUrl() {
        return "redis://%s:%d".formatted(Redis.SERVER.getHost(), Redis.SERVER.getMappedPort(Redis.PORT));
    }

    private static GenericContainer<?> container(String variable) {
        Docker.require();
        return new GenericContainer<>(DockerImageName.parse(Images.named(variable)));
    }

    private static final class Postgres {
        static final int PORT = 5432;
        private static final String PASSWORD_FILE = "/run/password";
        static final GenericContainer<?> SERVER = container("POSTGRES_IMAGE")
                .withCopyToContainer(Transferable.of(PASSWORD, READABLE), PASSWORD_FILE)
                .withEnv("POSTGRES_PASSWORD_FILE", PASSWORD_FILE)
                .withCommand("postgres", "-c", "max_connections=300")
                .withExposedPorts(PORT)
                .waitingFor(Wait.forSuccessfulCommand("pg_isready -h 127.0.0.1 -U postgres"));

        static {
            SERVER.start();
        }
    }

    private static final class Redis {
        static final int PORT = 6379;
        static final GenericContainer<?> SERVER = container("REDIS_IMAGE")
                .withCommand("redis-server", "--save", "", "--protected-mode", "no")
                .withExposedPorts(PORT);

        static {
            SERVER.start();
        }
    }

    private static final class Kafka {
        private static final int OWN_PORT = 9092;
        /** The broker advertises this port, so the port must be known before the start. */
        static final int PORT = Ports.free();

        private static final GenericContainer<?> SERVER = container("KAFKA_IMAGE")
                .withCopyToContainer(
                        Transferable.of("""
                                process.roles=broker,controller
                                node.id=1
                                controller.quorum.voters=1@localhost:9093
                                listeners=CLIENTS://:9092,CONTROLLER://localhost:9093
                                advertised.listeners=CLIENTS://localhost:%d
                                listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
                                controller.listener.names=CONTROLLER
                                inter.broker.listener.name=CLIENTS
                                log.dirs=/var/lib/kafka/data
                                auto.create.topics.enable=false
                                offsets.topic.replication.factor=1
                                transaction.state.log.replication.factor=1
                                transaction.state.log.min.isr=1
                                group.initial.rebalance.delay.ms=0
                                """.formatted(PORT), READABLE), "/mnt/shared/config/server.properties")
                .withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx256m")
                .withExposedPorts(OWN_PORT);

        static {
            SERVER.setPortBindings(List.of("127.0.0.1:%d:%d".formatted(PORT, OWN_PORT)));
            SERVER.start();
            try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
                KafkaTopics.create(admin, (short) 1, false);
            }
        }

        static String bootstrapServers() {
            return "localhost:" + PORT;
        }
    }
}
