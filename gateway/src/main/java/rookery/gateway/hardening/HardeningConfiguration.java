// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import io.netty.channel.Channel;
import java.time.Clock;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.NettyPipeline;
import rookery.platform.http.MediaProperties;
import rookery.platform.http.SlowReaders;

/** Adds the connection limits to the Netty pipeline of the public port. */
@Configuration(proxyBeanMethods = false)
class HardeningConfiguration {
    private static final RefusalBody REFUSALS = new RefusalBody();

    @Bean
    static WebServerFactoryCustomizer<NettyReactiveWebServerFactory> publicPort(
            ConnectionProperties limits, MediaProperties media, ConnectionCounts counts, Clock clock) {
        var headers = new AnswerHeaders(clock);
        return factory -> factory.addServerCustomizers(server -> server.doOnChannelInit((_, channel, _) -> {
            if (counts.admit(channel)) {
                harden(channel, limits, media, headers);
            } else {
                var _ = channel.close();
            }
        }));
    }

    private static void harden(
            Channel channel, ConnectionProperties limits, MediaProperties media, AnswerHeaders headers) {
        channel.pipeline()
                .addAfter(NettyPipeline.HttpCodec, "receive-deadline", new ReceiveDeadline(limits, media))
                .addAfter(NettyPipeline.HttpCodec, "http-versions", new HttpVersions())
                .addAfter(NettyPipeline.HttpCodec, "refusal-body", REFUSALS)
                .addAfter(NettyPipeline.HttpCodec, "answer-headers", headers);
        SlowReaders.cut(channel, limits.writeMax(), limits.writeMin());
    }
}
