// SPDX-License-Identifier: Apache-2.0
package rookery.sync.online;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import rookery.platform.ephemeral.EphemeralPublisher;
import rookery.sync.presence.PresenceSets;

/** The publisher of presence, and its metrics. */
@Configuration(proxyBeanMethods = false)
class OnlineConfiguration {
    @Bean
    static EphemeralPublisher ephemeralPublisher(
            KafkaTemplate<String, byte[]> kafka, Clock clock, MeterRegistry meters) {
        return new EphemeralPublisher(kafka, clock, meters);
    }

    @Bean
    static MeterBinder known(PresenceSets sets) {
        return meters -> Gauge.builder("sync_presence_users", sets, PresenceSets::size)
                .description("users whose presence is in memory")
                .register(meters);
    }
}
