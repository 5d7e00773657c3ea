// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Clock;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import rookery.model.topic.Topics;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.OwnShards;

/**
 * Creates the tails of a service that derives tables from logs. The service's configuration imports {@link Beans} and defines a
 * bean for each log with its derivation.
 */
public final class LogFollowers {
    private final String schema;
    private final ServiceClient services;
    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final Clock clock;
    private final ConsumerFactory<String, byte[]> consumers;
    private final OwnShards ownShards;

    /** @param schema the schema of the derived tables and of the positions */
    public LogFollowers(
            String schema,
            ServiceClient services,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        this.schema = schema;
        this.services = services;
        this.db = db;
        this.tx = tx;
        this.clock = clock;
        this.consumers = consumers;
        this.ownShards = ownShards;
    }

    /** Follows a log from the service's stored position, once started. */
    public <N> LogTail tail(String topic, Derivation<N> derivation) {
        var listener = new DerivingListener<>(followed(topic), derivation, tx, clock);
        return new LogTail(topic, owner(topic), listener, consumers, ownShards);
    }

    /** Derives everything anew from the owner's entries. */
    public <N> Rederivation<N> rederivation(String topic, Derivation<N> derivation) {
        return new Rederivation<>(followed(topic), derivation, owner(topic), db, tx);
    }

    private FollowedShards followed(String topic) {
        return new FollowedShards(db, schema, topic);
    }

    private LogOwner owner(String topic) {
        return new LogOwner(services, topic.equals(Topics.ROOM_LOG) ? "room-service" : "auth-service");
    }

    /** Beans for all logs of a service. */
    public static final class Beans {
        /** Stops before the beans are destroyed, while connections to the owners still exist. */
        @Bean
        static ApplicationListener<ContextClosedEvent> endOfFollowing(List<LogTail> logs) {
            return _ -> logs.forEach(LogTail::close);
        }

        /** Without the logs, derived tables become stale, and everything else works. */
        @Bean
        static ReadinessCheck queue(List<LogTail> logs) {
            return new ReadinessCheck(
                    "queue",
                    false,
                    Flux.fromIterable(logs)
                            .concatMap(log -> log.checkBegun().then(log.checkKafka()))
                            .then());
        }
    }
}
