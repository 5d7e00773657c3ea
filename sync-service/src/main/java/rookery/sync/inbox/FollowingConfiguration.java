// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.model.topic.Topics;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import rookery.platform.log.follow.LogOwner;

/** Follows both logs from the start of this node to its end. */
@Configuration(proxyBeanMethods = false)
class FollowingConfiguration {
    @Bean
    static FollowedLog roomLog(ServiceClient services, RoomFeed feed, ConsumerFactory<String, byte[]> consumers) {
        var owner = new LogOwner(services, "room-service");
        return new FollowedLog(Topics.ROOM_LOG, owner, feed, feed.progress(), consumers);
    }

    @Bean
    static FollowedLog userLog(ServiceClient services, UserFeed feed, ConsumerFactory<String, byte[]> consumers) {
        var owner = new LogOwner(services, "auth-service");
        return new FollowedLog(Topics.USER_LOG, owner, feed, feed.progress(), consumers);
    }

    /** A node that has not caught up answers every request with 503. */
    @Bean
    static ReadinessCheck logsCaughtUp(FollowedLogs logs) {
        return new ReadinessCheck(
                "queue", true, logs.rooms().begun().then(logs.users().begun()));
    }

    /** Without Kafka, entries come from the log's owner, a little later. */
    @Bean
    static ReadinessCheck kafka(FollowedLogs logs) {
        return new ReadinessCheck("queue", false, logs.rooms().kafka());
    }

    @Bean
    static MeterBinder syncLogMeters(FollowedLogs logs) {
        return meters -> {
            logs.rooms().bindTo(meters);
            logs.users().bindTo(meters);
        };
    }

    @Bean
    static DataBudget dataBudget(InboxProperties properties) {
        return properties.budget();
    }

    @Bean
    static MeterBinder syncMemoryMeters(Inboxes inboxes, RoomFeed feed, DataBudget data) {
        return meters -> {
            Gauge.builder("sync_account_data_bytes", data, DataBudget::used)
                    .description("approximate memory of the account data of users who have much")
                    .baseUnit("bytes")
                    .register(meters);
            Gauge.builder("sync_users", inboxes, all -> all.all().size())
                    .description("users in memory")
                    .register(meters);
            Gauge.builder("sync_ring_bytes", feed, RoomFeed::bytes)
                    .description("approximate memory of recent events")
                    .baseUnit("bytes")
                    .register(meters);
            Gauge.builder("sync_rooms", feed, RoomFeed::rooms)
                    .description("rooms with recent events in memory")
                    .register(meters);
        };
    }
}
