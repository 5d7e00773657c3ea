package rookery.auth.userlog;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.topic.Topics;
import rookery.platform.log.BatchCleaner;
import rookery.platform.log.LogApi;
import rookery.platform.log.LogEntries;
import rookery.platform.log.LogPublisher;

/** Auth-service owns the user log: its tables, its topic, and the answers to those who missed an announcement. */
@Configuration(proxyBeanMethods = false)
class UserLogConfiguration {
    @Bean
    static LogEntries userLogEntries(DatabaseClient db, MeterRegistry meters) {
        return new LogEntries(db, "auth", meters);
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
        return new LogApi(entries);
    }
}
