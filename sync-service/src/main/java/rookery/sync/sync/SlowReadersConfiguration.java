package rookery.sync.sync;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.http.SlowReaders;

/** Cuts connections of slow readers, whose answers occupy memory; gateways use the same rule. */
@Configuration(proxyBeanMethods = false)
class SlowReadersConfiguration {
    @Bean
    static NettyServerCustomizer cutSlowReaders(WaitingProperties properties) {
        return server -> server.doOnConnection(
                connection -> SlowReaders.cut(connection.channel(), properties.writeMax(), properties.writeMin()));
    }
}
