package rookery.bench;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Clock;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.RegexPatternTypeFilter;
import org.springframework.core.type.filter.TypeFilter;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.model.id.EventId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.Topics;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.follow.DerivingListener;
import rookery.platform.log.follow.FollowedShards;
import rookery.platform.log.follow.Stretch;
import rookery.platform.log.text.RoomLogText;
import rookery.push.count.PushSink;
import rookery.push.count.RoomCounter;
import rookery.push.count.UserChanges;
import rookery.push.count.UserChanges.RulesSet;
import rookery.push.delivery.Deliveries;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** Push-service without its edges: it counts what it is fed, into its database, and makes units that nobody sends. */
final class CountingService implements AutoCloseable {
    private static final int RULES_AT_ONCE = 500;

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final TransactionalOperator tx;
    private final DerivingListener<RoomLogRecord> listener;
    private final long[] positions = new long[Shards.COUNT];

    CountingService(Database database) {
        var options = ConnectionFactoryOptions.parse(database.r2dbcUrl().replace("r2dbc:", "r2dbc:pool:"))
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build();
        ConnectionFactory connections = ConnectionFactories.get(options);
        var db = DatabaseClient.create(connections);
        var transactions = new R2dbcTransactionManager(connections);
        tx = TransactionalOperator.create(transactions);
        context.registerBean(DatabaseClient.class, () -> db);
        context.registerBean(ReactiveTransactionManager.class, () -> transactions);
        context.registerBean(TransactionalOperator.class, () -> tx);
        context.registerBean(Clock.class, Clock::systemUTC);
        context.register(Settings.class, UnitMaker.class);
        scan("rookery.push.count", new AnnotationTypeFilter(Component.class, false));
        scan(
                "rookery.push.delivery",
                new RegexPatternTypeFilter(Pattern.compile(".*\\.(Deliveries|Units|PollSignal)")));
        context.refresh();
        listener = new DerivingListener<>(
                new FollowedShards(db, "push", Topics.ROOM_LOG),
                new CountDerivation(context.getBean(RoomCounter.class)),
                tx,
                Clock.systemUTC());
        listener.begin(new LogState(new Heads(1, Positions.zero(Shards.COUNT)), EarlierEpochs.NONE));
    }

    private void scan(String name, TypeFilter filter) {
        var scanner = new ClassPathBeanDefinitionScanner(context, false);
        scanner.addIncludeFilter(filter);
        scanner.scan(name);
    }

    @EnableConfigurationProperties
    @ConfigurationPropertiesScan("rookery.push")
    static class Settings {}

    /** The next position of a shard. */
    long next(int shard) {
        return positions[shard] + 1;
    }

    /** Counts one entry, in a transaction of its own. */
    void count(LogRecord entry) {
        int shard = entry.shard();
        listener.apply(new Stretch(shard, 1, positions[shard], List.of(entry), entry.pos(), 0, entry.pos()));
        positions[shard] = entry.pos();
    }

    /** Users have these rules from now on. */
    Mono<Void> rules(List<RulesSet> all) {
        var changes = context.getBean(UserChanges.class);
        return Flux.fromIterable(all)
                .buffer(RULES_AT_ONCE)
                .concatMap(some -> changes.rules(some).as(tx::transactional))
                .then();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Makes units of pushes, as the service does. */
    static final class UnitMaker implements PushSink {
        private final Deliveries deliveries;

        UnitMaker(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public Mono<Void> add(List<NewUnit> pushes) {
            return deliveries.add(pushes);
        }

        @Override
        public Mono<Void> redacted(TenantId tenant, EventId event) {
            return deliveries.redacted(tenant, event);
        }

        @Override
        public Mono<Void> read(List<ReadUpTo> reads) {
            return deliveries.read(reads);
        }
    }

    private record CountDerivation(RoomCounter counter) implements Derivation<RoomLogRecord> {
        @Override
        public boolean wants(LogRecord bare) {
            return bare.room() != null;
        }

        @Override
        public @Nullable RoomLogRecord read(LogRecord entry) {
            return RoomLogText.read(entry.kind(), entry.body());
        }

        @Override
        public Mono<Void> write(List<News<RoomLogRecord>> news) {
            return counter.count(news);
        }

        @Override
        public Mono<Void> drop() {
            return counter.drop();
        }
    }
}
