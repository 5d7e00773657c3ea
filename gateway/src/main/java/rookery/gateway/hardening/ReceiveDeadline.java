package rookery.gateway.hardening;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import rookery.platform.http.MediaProperties;

/**
 * Closes a connection whose client takes too long to send headers or a body, however steadily it trickles. Whoever reads the body is
 * told by a {@link BodyTimeoutException} first, and has a moment to answer. An upload has the more time the more of it has come. Looks
 * every few seconds, so a request costs no timer. Behind the HTTP codec; one for each connection.
 */
final class ReceiveDeadline extends ChannelDuplexHandler {
    private static final String UPLOADS = "/media/v3/upload";
    private static final long LOOK_MS = 2_000;
    private static final long TIME_TO_ANSWER_NS = TimeUnit.SECONDS.toNanos(3);

    private final ConnectionProperties limits;
    private final long uploadBytesMax;
    private long deadlineNs; // of what is awaited; 0 while the client has nothing to send
    private boolean bodyAwaited;
    private long uploadBytesLeft; // of the upload that comes, those that still bring it time

    ReceiveDeadline(ConnectionProperties limits, MediaProperties media) {
        this.limits = limits;
        this.uploadBytesMax = media.sizeMax().toBytes();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        await(context, limits.firstHeaders().toNanos());
        lookLater(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            await(context, limits.body().toNanos());
            bodyAwaited = true;
            uploadBytesLeft = request.uri().contains(UPLOADS) ? uploadBytesMax : 0;
        }
        if (message instanceof HttpContent content && bodyAwaited) {
            long bytes = Math.min(content.content().readableBytes(), uploadBytesLeft);
            uploadBytesLeft -= bytes;
            deadlineNs += limits.uploadNanos(bytes);
        }
        if (message instanceof LastHttpContent) {
            deadlineNs = 0;
            bodyAwaited = false;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent) {
            await(context, limits.idle().toNanos());
        }
        var _ = context.write(message, promise);
    }

    private void await(ChannelHandlerContext context, long durationNs) {
        deadlineNs = Math.max(1, now(context) + durationNs);
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    private void lookLater(ChannelHandlerContext context) {
        var _ = context.executor().schedule(() -> look(context), LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private void look(ChannelHandlerContext context) {
        if (!context.channel().isActive() || context.isRemoved()) {
            return;
        }
        boolean late = deadlineNs != 0 && now(context) - deadlineNs > 0;
        if (late && !bodyAwaited) {
            var _ = context.close();
            return;
        }
        if (late) {
            bodyAwaited = false;
            await(context, TIME_TO_ANSWER_NS);
            context.fireExceptionCaught(new BodyTimeoutException());
        }
        lookLater(context);
    }
}
