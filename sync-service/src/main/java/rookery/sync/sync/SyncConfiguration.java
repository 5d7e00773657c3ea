// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import io.micrometer.observation.ObservationPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import rookery.platform.http.SlowReaders;

/** The web server of waiting requests. */
@Configuration(proxyBeanMethods = false)
class SyncConfiguration {
    /** Excludes syncs from Spring's request observations, which would keep maps for each waiting request and measure the wait. */
    @Bean
    static ObservationPredicate notOfSyncs() {
        return (_, context) ->
                !(context instanceof ServerRequestObservationContext request && isSync(request.getCarrier()));
    }

    private static boolean isSync(@Nullable ServerHttpRequest request) {
        return request != null && request.getPath().value().endsWith("/sync"); // sliding sync too
    }

    /** Cuts connections of slow readers, whose answers occupy memory; gateways use the same rule. */
    @Bean
    static NettyServerCustomizer cutSlowReaders(WaitingProperties properties) {
        return server -> server.doOnConnection(
                connection -> SlowReaders.cut(connection.channel(), properties.writeMax(), properties.writeMin()));
    }
}
