package rookery.push.inbox;

import java.time.Clock;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.model.topic.Topics;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.OwnShards;
import rookery.platform.log.DerivingListener;
import rookery.platform.log.FollowedShards;
import rookery.platform.log.LogOwner;
import rookery.platform.log.LogTail;

/** Follows both logs from where this service has got to. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {
    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail roomLog(
            ServiceClient services,
            RoomLogNews news,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        var followed = new FollowedShards(db, "push", Topics.ROOM_LOG);
        var listener = new DerivingListener<>(followed, news, tx, clock);
        return new LogTail(Topics.ROOM_LOG, new LogOwner(services, "room-service"), listener, consumers, ownShards);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail userLog(
            ServiceClient services,
            UserLogNews news,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        var followed = new FollowedShards(db, "push", Topics.USER_LOG);
        var listener = new DerivingListener<>(followed, news, tx, clock);
        return new LogTail(Topics.USER_LOG, new LogOwner(services, "auth-service"), listener, consumers, ownShards);
    }

    /** Earlier than beans are destroyed: by then there is no connection left to ask the owners with. */
    @Bean
    static ApplicationListener<ContextClosedEvent> endOfFollowing(LogTail roomLog, LogTail userLog) {
        return _ -> {
            roomLog.close();
            userLog.close();
        };
    }

    /** Without the logs counts and pushes come later, and everything else goes on. */
    @Bean
    static ReadinessCheck queue(LogTail roomLog, LogTail userLog) {
        return new ReadinessCheck(
                "queue", false, roomLog.checkBegun().then(userLog.checkBegun()).then(roomLog.checkKafka()));
    }
}
