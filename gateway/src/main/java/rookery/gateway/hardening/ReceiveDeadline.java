// SPDX-License-Identifier: Apache-2.0
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
 * Closes a connection whose client sends its headers or body too slowly, even if steadily. A late body first fails with
 * {@link BodyTimeoutException}, and the server has a few seconds to answer. Each received byte extends the deadline of an upload.
 *
 * <p>While the server does not read, for example because a disk is slow, the client cannot send, and the deadline is extended by
 * that time. The deadline is checked every few seconds, so a request needs no timer. Placed behind the HTTP codec; one handler
 * per connection.
 */
final class ReceiveDeadline extends ChannelDuplexHandler {
    private static final String UPLOADS = "/media/v3/upload";
    private static final long LOOK_MS = 2_000;
    private static final long TIME_TO_ANSWER_NS = TimeUnit.SECONDS.toNanos(3);
    /**
     * Maximum extension of one body's deadline while the server does not read, so that a hanging service does not keep
     * connections forever.
     */
    private static final long SERVER_BEHIND_MAX_NS = TimeUnit.MINUTES.toNanos(10);

    private final ConnectionProperties limits;
    private final long uploadBytesMax;
    private long deadlineNs; // of the awaited headers or body; 0 while nothing is awaited
    private boolean bodyAwaited;
    private long uploadBytesLeft; // bytes of the current upload that still extend the deadline
    private boolean readAwaited; // whether the server has requested a read since the last bytes
    private boolean batch; // whether the messages of one read are being delivered
    private long serverBehindLeftNs; // remaining extension of the deadline while the server does not read
    private long lookedNs;

    ReceiveDeadline(ConnectionProperties limits, MediaProperties media) {
        this.limits = limits;
        this.uploadBytesMax = media.sizeMax().toBytes();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        await(context, limits.firstHeaders().toNanos());
        lookedNs = now(context);
        lookLater(context);
    }

    @Override
    public void read(ChannelHandlerContext context) {
        readAwaited = true;
        context.read();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        batch = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!batch) { // later messages of the same read may arrive after the next read was requested
            batch = true;
            readAwaited = false;
        }
        if (message instanceof HttpRequest request) {
            await(context, limits.body().toNanos());
            bodyAwaited = true;
            serverBehindLeftNs = SERVER_BEHIND_MAX_NS;
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
            serverBehindLeftNs = 0; // the rest of an answered request's body is never read
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
        long sinceNs = now(context) - lookedNs;
        lookedNs += sinceNs;
        if (bodyAwaited && !readAwaited) {
            long behindNs = Math.min(sinceNs, serverBehindLeftNs);
            serverBehindLeftNs -= behindNs;
            deadlineNs += behindNs;
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
