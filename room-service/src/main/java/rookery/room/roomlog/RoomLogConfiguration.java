// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.Topics;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceName;
import rookery.platform.log.append.BatchCleaner;
import rookery.platform.log.append.LogApi;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.LogProperties;
import rookery.platform.log.append.LogPublisher;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;

/** The beans of the room log, whose owner is room-service: appending, announcing in Kafka, and serving ranges. */
@Configuration(proxyBeanMethods = false)
class RoomLogConfiguration {
    /** Two concurrent batches keep the database busy while another is judged; more would only make the batches smaller. */
    private static final LogAppender.Width WIDTH = new LogAppender.Width(2, 16);

    @Bean
    static LogEntries logEntries(DatabaseClient db, MeterRegistry meters, LogProperties properties) {
        return new LogEntries(db, "room", meters, properties.onNewTimeline(), RoomLogRecord.RECEIPT);
    }

    /** Unready while appends are stopped; reads go on. */
    @Bean
    static ReadinessCheck logOpen(LogEntries entries) {
        return new ReadinessCheck("database", false, entries.checkOpen());
    }

    @Bean
    static LogApi logApi(LogEntries entries) {
        return new LogApi(entries, Set.of(ServiceName.SYNC, ServiceName.DIRECTORY, ServiceName.PUSH));
    }

    @Bean
    static BatchCleaner batchCleaner(LogEntries entries, Clock clock) {
        return new BatchCleaner(entries, clock);
    }

    @Bean
    static CachedRooms cachedRooms() {
        return CachedRooms.ofHeap();
    }

    @Bean
    static LogPublisher logPublisher(KafkaTemplate<String, byte[]> kafka, MeterRegistry meters) {
        return new LogPublisher(Topics.ROOM_LOG, kafka, meters);
    }

    @Bean
    static LogAppender<RoomDraft, RoomAnswer> roomLogAppender(
            LogEntries entries,
            RoomJudge judge,
            TransactionalOperator tx,
            LogPublisher publisher,
            Clock clock,
            RandomGenerator random) {
        return new LogAppender<>(entries, judge, tx, publisher, clock, random, WIDTH);
    }
}
