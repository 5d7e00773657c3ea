// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import rookery.platform.http.InternalProperties;

/** Adds the seal to all producers and consumers of every service with Kafka on its classpath. */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@ConditionalOnClass(KafkaTemplate.class)
@ConditionalOnBean(ProducerFactory.class) // in the standalone run every service has the class, but not the key
public class SealConfiguration {
    @Bean
    static RecordSeal recordSeal(InternalProperties properties, MeterRegistry meters) {
        return new RecordSeal(properties, meters);
    }

    @Bean
    static DefaultKafkaProducerFactoryCustomizer sealing(RecordSeal seal) {
        return producers -> producers.updateConfigs(Map.of(
                ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
                SealingInterceptor.class.getName(),
                SealingInterceptor.SEAL,
                seal));
    }

    @Bean
    static DefaultKafkaConsumerFactoryCustomizer sealChecking(RecordSeal seal) {
        return consumers -> consumers.updateConfigs(Map.of(
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                SealCheckInterceptor.class.getName(),
                SealingInterceptor.SEAL,
                seal));
    }
}
