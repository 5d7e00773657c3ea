package rookery.admin.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers metrics of the contract that no service measures yet. */
@Configuration(proxyBeanMethods = false)
class MetricsConfiguration {
    /** Media are not served yet, so no byte of them has gone in or out. */
    @Bean
    static MeterBinder media() {
        return meters -> {
            for (var direction : new String[] {"in", "out"}) {
                Counter.builder("media_bytes")
                        .description("bytes of media that clients sent and were sent")
                        .tag("direction", direction)
                        .register(meters);
            }
        };
    }
}
