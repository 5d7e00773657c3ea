package rookery.room.typing;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import rookery.platform.ephemeral.EphemeralPublisher;

/** The publisher of typing notifications. */
@Configuration(proxyBeanMethods = false)
class TypingConfiguration {
    @Bean
    static EphemeralPublisher ephemeralPublisher(
            KafkaTemplate<String, byte[]> kafka, Clock clock, MeterRegistry meters) {
        return new EphemeralPublisher(kafka, clock, meters);
    }
}
