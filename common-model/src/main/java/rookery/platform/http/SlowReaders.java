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
 * Cuts a connection whose other side takes nothing of what is written, or next to nothing: such an answer would be held for ever, and
 * with it a place among those who are served. First in the pipeline, where all has become bytes; it looks again and again whether
 * enough was taken while there was something to be taken.
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

    /** From now on the connection is cut once its other side takes less than that in an interval. May be said of each request. */
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
            wasEmpty = false; // it began within the interval
        } else if (taken - takenBefore < bytesMin) {
            log.atInfo()
                    .addKeyValue("peer", context.channel().remoteAddress())
                    .log("cut a connection whose other side hardly reads");
            var _ = context.close();
        }
        takenBefore = taken;
    }

    /** Whether the other side has taken all that was sent; what is written and not flushed, or not written yet, was not sent. */
    private static boolean isEmpty(ChannelHandlerContext context) {
        var buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null || buffer.isEmpty();
    }

    /** Bytes that wait for the other side, and a few more: Netty also counts what it needs to keep them. */
    private static long pending(ChannelHandlerContext context) {
        var buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }
}
