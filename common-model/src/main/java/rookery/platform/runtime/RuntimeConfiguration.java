// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** Time, randomness and event loops of one service. */
@Configuration(proxyBeanMethods = false)
public class RuntimeConfiguration {
    @Bean
    static Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    static RandomGenerator random() {
        return new SecureRandom();
    }

    /**
     * Creates event loops for this service, because shared loops end with the first service that stops in the process. Connections
     * are accepted by a loop that answers no requests: a loop that answers accepts 16 connections after each round of requests, so
     * under load the accept queue fills (decision 0047).
     */
    @Bean
    static ReactorResourceFactory reactorResourceFactory() {
        var factory = new ReactorResourceFactory();
        factory.setUseGlobalResources(false);
        factory.setLoopResourcesSupplier(
                () -> LoopResources.create("webflux-http", 1, LoopResources.DEFAULT_IO_WORKER_COUNT, true));
        factory.setShutdownQuietPeriod(Duration.ZERO); // requests were drained before
        return factory;
    }
}
