// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.model.topic.Topics;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.OwnShards;
import rookery.platform.log.follow.FollowedShards;
import rookery.platform.log.follow.LogFollowers;
import rookery.platform.log.follow.LogTail;

/** Follows both logs. While the logs are not followed, counts and pushes are late. */
@Configuration(proxyBeanMethods = false)
@Import(LogFollowers.Beans.class)
class InboxConfiguration {
    private static final String SCHEMA = "push";

    @Bean
    static LogFollowers logFollowers(
            ServiceClient services,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        return new LogFollowers(SCHEMA, services, db, tx, clock, consumers, ownShards);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail roomLog(LogFollowers followers, RoomLogNews news) {
        return followers.tail(Topics.ROOM_LOG, news);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail userLog(LogFollowers followers, UserLogNews news) {
        return followers.tail(Topics.USER_LOG, news);
    }

    /** The positions up to which any instance has derived the user log. */
    @Bean
    static FollowedShards userLogShards(DatabaseClient db) {
        return new FollowedShards(db, SCHEMA, Topics.USER_LOG);
    }
}
