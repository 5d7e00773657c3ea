package rookery.gateway.hardening;

import io.netty.channel.Channel;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.NettyPipeline;
import rookery.platform.http.MediaProperties;
import rookery.platform.http.SlowReaders;

/** Puts the limits of a connection into the pipeline of the public port. */
@Configuration(proxyBeanMethods = false)
class HardeningConfiguration {
    private static final RefusalBody REFUSALS = new RefusalBody();

    @Bean
    static WebServerFactoryCustomizer<NettyReactiveWebServerFactory> publicPort(
            ConnectionProperties limits, MediaProperties media, ConnectionCounts counts) {
        return factory -> factory.addServerCustomizers(server -> server.doOnChannelInit((_, channel, _) -> {
            if (counts.admit(channel)) {
                harden(channel, limits, media);
            } else {
                var _ = channel.close();
            }
        }));
    }

    private static void harden(Channel channel, ConnectionProperties limits, MediaProperties media) {
        channel.pipeline()
                .addAfter(NettyPipeline.HttpCodec, "receive-deadline", new ReceiveDeadline(limits, media))
                .addAfter(NettyPipeline.HttpCodec, "http-versions", new HttpVersions())
                .addAfter(NettyPipeline.HttpCodec, "refusal-body", REFUSALS);
        SlowReaders.cut(channel, limits.writeMax(), limits.writeMin());
    }
}
