// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/**
 * Closes a connection whose peer reads nothing or hardly anything: such a response would stay in memory for ever and use up one
 * of the concurrent requests. First in the pipeline, where all data are bytes; checks at intervals whether the peer has read
 * enough while there was something to read.
 */
public final class SlowReaders extends ChannelOutboundHandlerAdapter {
    private static final String NAME = "slow-readers";
    private static final Logger log = LoggerFactory.getLogger(SlowReaders.class);

    private final Duration interval;
    private final long bytesMin;
    private long written;
    private long takenBefore;
    private boolean wasEmpty = true;
    private @Nullable Future<?> looking;

    SlowReaders(Duration interval, DataSize min) {
        this.interval = interval;
        this.bytesMin = min.toBytes();
    }

    /** Closes the connection once its peer reads less than the minimum in an interval. Can be called for every request. */
    public static void cut(Channel channel, Duration interval, DataSize min) {
        if (channel.pipeline().get(NAME) == null) {
            channel.pipeline().addFirst(NAME, new SlowReaders(interval, min));
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        looking = context.executor()
                .scheduleAtFixedRate(
                        () -> look(context), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (looking != null) {
            looking.cancel(false);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        wasEmpty |= isEmpty(context);
        written += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        var _ = context.write(message, promise);
    }

    void look(ChannelHandlerContext context) {
        long taken = written - pending(context);
        if (isEmpty(context)) {
            wasEmpty = true;
        } else if (wasEmpty) {
            wasEmpty = false; // the write began within the interval
        } else if (taken - takenBefore < bytesMin) {
            log.atInfo()
                    .addKeyValue("peer", context.channel().remoteAddress())
                    .log("closed a connection whose peer hardly reads");
            var _ = context.close();
        }
        takenBefore = taken;
    }

    /** Whether the peer has read everything that was sent; unflushed and unwritten data do not count. */
    private static boolean isEmpty(ChannelHandlerContext context) {
        var buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null || buffer.isEmpty();
    }

    /** Pending bytes, and a few more, because Netty counts its own overhead. */
    private static long pending(ChannelHandlerContext context) {
        var buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }
}
