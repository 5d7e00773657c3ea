package rookery.directory.inbox;

import java.time.Clock;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import rookery.directory.listing.RoomNews;
import rookery.model.topic.Topics;
import rookery.model.topic.UserLogRecord;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.OwnShards;
import rookery.platform.log.DerivingListener;
import rookery.platform.log.FollowedShards;
import rookery.platform.log.LogOwner;
import rookery.platform.log.LogTail;
import rookery.platform.log.Rederivation;

/** Follows both logs from where this service has got to. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {
    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail roomLog(
            ServiceClient services,
            RoomLogNews rooms,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        var followed = new FollowedShards(db, "directory", Topics.ROOM_LOG);
        var listener = new DerivingListener<>(followed, rooms, tx, clock);
        return new LogTail(Topics.ROOM_LOG, new LogOwner(services, "room-service"), listener, consumers, ownShards);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail userLog(
            ServiceClient services,
            UserLogNews users,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        var followed = new FollowedShards(db, "directory", Topics.USER_LOG);
        var listener = new DerivingListener<>(followed, users, tx, clock);
        return new LogTail(Topics.USER_LOG, new LogOwner(services, "auth-service"), listener, consumers, ownShards);
    }

    @Bean
    static Rederivation<RoomNews> roomRederivation(
            ServiceClient services, RoomLogNews rooms, DatabaseClient db, TransactionalOperator tx) {
        var followed = new FollowedShards(db, "directory", Topics.ROOM_LOG);
        return new Rederivation<>(followed, rooms.withoutNames(), new LogOwner(services, "room-service"), db, tx);
    }

    @Bean
    static Rederivation<UserLogRecord> userRederivation(
            ServiceClient services, UserLogNews users, DatabaseClient db, TransactionalOperator tx) {
        var followed = new FollowedShards(db, "directory", Topics.USER_LOG);
        return new Rederivation<>(followed, users, new LogOwner(services, "auth-service"), db, tx);
    }

    /** Earlier than beans are destroyed: by then there is no connection left to ask the owner with. */
    @Bean
    static ApplicationListener<ContextClosedEvent> endOfFollowing(List<LogTail> logs) {
        return _ -> logs.forEach(LogTail::close);
    }

    /** Without the logs every reservation is asked about, which is slower and no less right, and the directories stand still. */
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
