package rookery.sync.sync;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Cuts connections whose other side takes nothing of what is written: such an answer would be held for ever. */
@Configuration(proxyBeanMethods = false)
class SlowReaders {
    private static final String HANDLER = "slow-readers";

    @Bean
    static NettyServerCustomizer cutSlowReaders(WaitingProperties properties) {
        return server -> server.doOnConnection(
                connection -> connection.addHandlerFirst(HANDLER, new Cutter(properties.writeMax())));
    }

    /** Who reads slowly is not cut, as long as there is progress; nor is a connection on which there is nothing to be read. */
    private static final class Cutter extends IdleStateHandler {
        Cutter(Duration longest) {
            super(true, 0, longest.toMillis(), 0, TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelIdle(ChannelHandlerContext context, IdleStateEvent idle) {
            var pending = context.channel().unsafe().outboundBuffer();
            if (pending != null && pending.totalPendingWriteBytes() > 0) {
                var _ = context.close();
            }
        }
    }
}
