// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.RegexPatternTypeFilter;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.model.id.EventId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.Topics;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.follow.DerivingListener;
import rookery.platform.log.follow.FollowedShards;
import rookery.platform.log.follow.Stretch;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.TenantProperties.Entry;
import rookery.platform.tenant.Tenants;
import rookery.push.count.PushSink;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** An instance of counting over the test's database. The test feeds both logs in batches of any length. */
final class FedCounter implements AutoCloseable {
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Database database;
    private final ConnectionPool connections;
    private final Log rooms;
    private final Log users;

    @EnableConfigurationProperties
    @ConfigurationPropertiesScan("rookery.push")
    static class Settings {}

    /** A log in memory, by shard. */
    static final class LogText {
        final List<List<LogRecord>> shards = new ArrayList<>();
        long epoch = 1;
        EarlierEpochs earlier = EarlierEpochs.NONE;

        LogText() {
            for (int i = 0; i < Shards.COUNT; i++) {
                shards.add(new ArrayList<>());
            }
        }

        long next(int shard) {
            return shards.get(shard).size() + 1L;
        }

        void append(LogRecord entry) {
            shards.get(entry.shard()).add(entry);
        }

        LogState state() {
            var heads = Positions.of(shards.stream().mapToLong(List::size).toArray());
            return new LogState(new Heads(epoch, heads), earlier);
        }
    }

    /** The position of this instance in one log. */
    private static final class Log {
        final LogText text;
        final DerivingListener<?> listener;
        final long[] at = new long[Shards.COUNT];

        Log(LogText text, DerivingListener<?> listener) {
            this.text = text;
            this.listener = listener;
            var begin = listener.begin(text.state());
            for (int i = 0; i < at.length; i++) {
                at[i] = begin.positions().at(i);
            }
        }

        /** Follows everything, in rounds with a stretch of each shard, half of them prepared together. */
        void follow(Random random, int most) {
            for (var round = round(random, most); !round.isEmpty(); round = round(random, most)) {
                if (!listener.gathering().isZero() && random.nextBoolean()) {
                    listener.prepare(round);
                }
                for (var stretch : round) {
                    listener.apply(stretch);
                    at[stretch.shard()] = stretch.coveredTo();
                }
            }
        }

        private List<Stretch> round(Random random, int most) {
            var round = new ArrayList<Stretch>();
            for (int shard = 0; shard < at.length; shard++) {
                var entries = text.shards.get(shard);
                int from = (int) at[shard];
                if (from < entries.size()) {
                    int to = Math.min(entries.size(), from + 1 + random.nextInt(most));
                    round.add(new Stretch(shard, text.epoch, from, List.copyOf(entries.subList(from, to)), to, 0, to));
                }
            }
            return round;
        }
    }

    FedCounter(Database database, LogText roomLog, LogText userLog) {
        this(database, roomLog, userLog, null);
    }

    /** @param sink null for a sink that ignores everything */
    FedCounter(Database database, LogText roomLog, LogText userLog, @Nullable PushSink sink) {
        this.database = database;
        this.connections = connections(database);
        var db = DatabaseClient.create(connections);
        var transactions = new R2dbcTransactionManager(connections);
        var tx = TransactionalOperator.create(transactions);
        context.registerBean(DatabaseClient.class, () -> db);
        context.registerBean(ReactiveTransactionManager.class, () -> transactions);
        context.registerBean(TransactionalOperator.class, () -> tx);
        context.registerBean(Clock.class, Clock::systemUTC);
        context.registerBean(Tenants.class, FedCounter::tenants);
        if (sink != null) {
            context.registerBean("outgoing", PushSink.class, () -> sink);
        } else {
            context.registerBean("outgoing", PushSink.class, NoPushSink::new);
        }
        context.register(Settings.class, CountConfiguration.class);
        var scanner = new ClassPathBeanDefinitionScanner(context, false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(Component.class, false));
        scanner.addExcludeFilter(new RegexPatternTypeFilter(Pattern.compile(".*\\.Pushes")));
        scanner.scan("rookery.push.count", "rookery.push.unread", "rookery.push.inbox");
        var parts = new ClassPathBeanDefinitionScanner(context, false);
        parts.addIncludeFilter(new RegexPatternTypeFilter(Pattern.compile(".*\\.(Pushers|PusherTable|Pauses|Units)")));
        parts.scan("rookery.push.pusher", "rookery.push.delivery");
        context.refresh();
        rooms = new Log(roomLog, listener(db, Topics.ROOM_LOG, "roomLogNews", tx));
        users = new Log(userLog, listener(db, Topics.USER_LOG, "userLogNews", tx));
    }

    /** Tenant 2 counts rooms. */
    private static Tenants tenants() {
        var second = new Entry(2, "two.example", List.of(), true, true, "11", Map.of("badge-counts-rooms", "true"));
        return new Tenants(new TenantProperties(List.of(second), null));
    }

    private DerivingListener<?> listener(DatabaseClient db, String log, String derivation, TransactionalOperator tx) {
        var followed = new FollowedShards(db, "push", log);
        return new DerivingListener<>(followed, (Derivation<?>) context.getBean(derivation), tx, Clock.systemUTC());
    }

    private static ConnectionPool connections(Database database) {
        var options = ConnectionFactoryOptions.parse(database.pooledR2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build();
        return (ConnectionPool) ConnectionFactories.get(options);
    }

    /** Counts the whole room log in batches of at most {@code most} entries. */
    void followRooms(Random random, int most) {
        rooms.follow(random, most);
    }

    void followUsers(Random random, int most) {
        users.follow(random, most);
    }

    Database database() {
        return database;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T now(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(Duration.ofSeconds(20)));
    }

    @Override
    public void close() {
        context.close();
        connections
                .disposeLater()
                .block(Duration.ofSeconds(
                        20)); // otherwise the connections stay open, and the server's number is limited
    }

    static class NoPushSink implements PushSink {
        @Override
        public Mono<Void> lock(Set<TenantRoom> rooms) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> add(List<NewUnit> pushes) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> redacted(TenantId tenant, EventId event) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> read(List<ReadUpTo> reads) {
            return Mono.empty();
        }
    }
}
