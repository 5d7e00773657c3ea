// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Timing of the checks: responses come from other threads, and long polls end when a check is due. */
class SlowReadersTest {
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final SlowReaders readers = new SlowReaders(Duration.ofDays(1), DataSize.ofKilobytes(64));

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void whatIsAboutToBeWrittenIsNotWaitedFor() throws Exception {
        var channel = connected();
        for (int i = 0; i < 3; i++) {
            answeredWhileLookedAt(channel);
        }
        assertThat(channel.isActive()).isTrue();
    }

    /** The event loop runs the check while another thread writes a response in two parts, head and body. */
    private void answeredWhileLookedAt(Channel channel) throws Exception {
        var written = new CountDownLatch(1);
        var looked = channel.eventLoop().submit(() -> {
            written.await();
            readers.look(channel.pipeline().context(readers));
            return null;
        });
        var _ = channel.write(Unpooled.wrappedBuffer(new byte[200]));
        var answered = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[100]));
        written.countDown();
        looked.sync();
        answered.sync();
    }

    private Channel connected() throws InterruptedException {
        var address = new LocalAddress(SlowReadersTest.class);
        new ServerBootstrap()
                .group(loops)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(address)
                .sync();
        return new Bootstrap()
                .group(loops)
                .channel(LocalChannel.class)
                .handler(readers)
                .connect(address)
                .sync()
                .channel();
    }
}
