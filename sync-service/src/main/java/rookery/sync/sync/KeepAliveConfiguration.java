package rookery.sync.sync;

import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/**
 * Keeps connections alive that clients use again at once.
 *
 * <p>Reactor Netty before 1.3.8 (its issue 4361) puts a request that arrives before the previous answer is quite done into a
 * queue; if it is then answered on the spot, the connection is never read again, and the client waits for ever. So no request
 * is handled on the spot, but in the next turn of its connection's own loop. To be removed with that release.
 */
@Configuration(proxyBeanMethods = false)
class KeepAliveConfiguration {
    @Bean
    static NettyServerCustomizer handledInTheNextTurn() {
        return server -> server.mapHandle(KeepAliveConfiguration::inTheNextTurn);
    }

    private static Mono<Void> inTheNextTurn(Mono<Void> handling, Connection connection) {
        return Mono.<Void>create(turn -> connection.channel().eventLoop().execute(turn::success))
                .then(handling);
    }
}
