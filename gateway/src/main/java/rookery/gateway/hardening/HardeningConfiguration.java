package rookery.gateway.hardening;

import io.netty.channel.Channel;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.NettyPipeline;

/** Puts the limits of a connection into the pipeline of the public port. */
@Configuration(proxyBeanMethods = false)
class HardeningConfiguration {
    private static final RefusalBody REFUSALS = new RefusalBody();

    @Bean
    static WebServerFactoryCustomizer<NettyReactiveWebServerFactory> publicPort(
            ConnectionProperties limits, ConnectionCounts counts) {
        return factory -> factory.addServerCustomizers(server -> server.doOnChannelInit((_, channel, _) -> {
            if (counts.admit(channel)) {
                harden(channel, limits);
            } else {
                var _ = channel.close();
            }
        }));
    }

    private static void harden(Channel channel, ConnectionProperties limits) {
        channel.pipeline()
                .addAfter(NettyPipeline.HttpCodec, "receive-deadline", new ReceiveDeadline(limits))
                .addAfter(NettyPipeline.HttpCodec, "refusal-body", REFUSALS);
    }
}
