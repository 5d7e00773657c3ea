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
 * told by a {@link BodyTimeoutException} first, and has a moment to answer. An upload has the more time the more of it has come.
 *
 * <p>While the server does not ask for more of a body, because whoever writes it to a disk is behind, the client cannot send, and its
 * time stands still. Looks every few seconds, so a request costs no timer. Behind the HTTP codec; one for each connection.
 */
final class ReceiveDeadline extends ChannelDuplexHandler {
    private static final String UPLOADS = "/media/v3/upload";
    private static final long LOOK_MS = 2_000;
    private static final long TIME_TO_ANSWER_NS = TimeUnit.SECONDS.toNanos(3);
    /** For so long at most one body may wait for the server, so that a service that hangs does not hold connections for ever. */
    private static final long SERVER_BEHIND_MAX_NS = TimeUnit.MINUTES.toNanos(10);

    private final ConnectionProperties limits;
    private final long uploadBytesMax;
    private long deadlineNs; // of what is awaited; 0 while the client has nothing to send
    private boolean bodyAwaited;
    private long uploadBytesLeft; // of the upload that comes, those that still bring it time
    private boolean readAwaited; // whether the server has asked for more since the last bytes came
    private boolean batch; // whether bytes of one read are being passed on
    private long serverBehindLeftNs; // for so long the client may still wait for the server
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
        if (!batch) { // what follows in the same read may come after the next one was asked for
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
            serverBehindLeftNs = 0; // nobody will read the rest of a body that is answered already
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
