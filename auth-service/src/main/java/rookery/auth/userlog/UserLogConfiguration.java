// SPDX-License-Identifier: Apache-2.0
package rookery.auth.userlog;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.Topics;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceName;
import rookery.platform.log.append.BatchCleaner;
import rookery.platform.log.append.LogApi;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.LogProperties;
import rookery.platform.log.append.LogPublisher;

/** The user log of auth-service: tables, topic, and the endpoint for followers that missed an announcement. */
@Configuration(proxyBeanMethods = false)
class UserLogConfiguration {
    /** To-device messages have a table of their own, because they are deleted on delivery. */
    @Bean
    static LogEntries userLogEntries(DatabaseClient db, MeterRegistry meters, LogProperties properties) {
        return new LogEntries(db, "auth", meters, properties.onNewTimeline(), DeviceLogRecord.TO_DEVICE);
    }

    /** Not required: while appends are closed, reads continue and the service reports degraded. */
    @Bean
    static ReadinessCheck logOpen(LogEntries entries) {
        return new ReadinessCheck("database", false, entries.checkOpen());
    }

    @Bean
    static BatchCleaner batchCleaner(LogEntries entries, Clock clock) {
        return new BatchCleaner(entries, clock);
    }

    @Bean
    static LogPublisher userLogPublisher(KafkaTemplate<String, byte[]> kafka, MeterRegistry meters) {
        return new LogPublisher(Topics.USER_LOG, kafka, meters);
    }

    @Bean
    static LogApi logApi(LogEntries entries) {
        return new LogApi(entries, Set.of(ServiceName.ROOM, ServiceName.SYNC, ServiceName.DIRECTORY, ServiceName.PUSH));
    }
}
