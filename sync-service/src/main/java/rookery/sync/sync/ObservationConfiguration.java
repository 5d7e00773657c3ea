package rookery.sync.sync;

import io.micrometer.observation.ObservationPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;

/** Excludes syncs from Spring's request observations, which would keep maps for each waiting request and measure the wait. */
@Configuration(proxyBeanMethods = false)
class ObservationConfiguration {
    @Bean
    static ObservationPredicate notOfSyncs() {
        return (_, context) ->
                !(context instanceof ServerRequestObservationContext request && isSync(request.getCarrier()));
    }

    private static boolean isSync(@Nullable ServerHttpRequest request) {
        return request != null && SyncApi.PATH.equals(request.getPath().value());
    }
}
