// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

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
import rookery.platform.log.follow.LogFollowers;
import rookery.platform.log.follow.LogTail;

/** Follows the user log. While following stops, rooms keep showing old profiles. */
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
        return new LogFollowers("room", services, db, tx, clock, consumers, ownShards);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    static LogTail userLog(LogFollowers followers, UserLogCopies copies) {
        return followers.tail(Topics.USER_LOG, copies);
    }
}
