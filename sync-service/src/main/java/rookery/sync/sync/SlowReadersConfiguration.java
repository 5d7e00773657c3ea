package rookery.sync.sync;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.http.SlowReaders;

/** An answer that is not read keeps a place among those who are served; gateways cut their clients by the same rule. */
@Configuration(proxyBeanMethods = false)
class SlowReadersConfiguration {
    @Bean
    static NettyServerCustomizer cutSlowReaders(WaitingProperties properties) {
        return server -> server.doOnConnection(
                connection -> SlowReaders.cut(connection.channel(), properties.writeMax(), properties.writeMin()));
    }
}
