// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.directory.listing.RoomDirectory;
import rookery.directory.listing.RoomNews;
import rookery.model.topic.Topics;
import rookery.model.topic.UserLogRecord;
import rookery.platform.http.ServiceClient;
import rookery.platform.instance.OwnShards;
import rookery.platform.log.follow.LogFollowers;
import rookery.platform.log.follow.LogTail;
import rookery.platform.log.follow.Rederivation;

/**
 * Follows both logs. While the logs are not followed, room-service confirms each reservation, which is slower but correct, and
 * the directories do not change.
 */
@Configuration(proxyBeanMethods = false)
@Import(LogFollowers.Beans.class)
class InboxConfiguration {
    @Bean
    static LogFollowers logFollowers(
            ServiceClient services,
            DatabaseClient db,
            TransactionalOperator tx,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers,
            OwnShards ownShards) {
        return new LogFollowers("directory", services, db, tx, clock, consumers, ownShards);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail roomLog(LogFollowers followers, RoomLogNews news) {
        return followers.tail(Topics.ROOM_LOG, news);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail userLog(LogFollowers followers, UserLogNews news) {
        return followers.tail(Topics.USER_LOG, news);
    }

    @Bean
    static Rederivation<RoomNews> roomRederivation(LogFollowers followers, RoomDirectory directory) {
        return followers.rederivation(Topics.ROOM_LOG, new RoomListings(directory));
    }

    @Bean
    static Rederivation<UserLogRecord> userRederivation(LogFollowers followers, UserLogNews news) {
        return followers.rederivation(Topics.USER_LOG, news);
    }
}
