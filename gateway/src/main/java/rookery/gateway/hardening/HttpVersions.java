// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;

/** Answers HTTP versions other than 1.0 and 1.1 with 505. Netty itself would answer in the version of the request. */
final class HttpVersions extends ChannelInboundHandlerAdapter {
    private boolean refused;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (!(message instanceof HttpRequest request) || request.decoderResult().isFailure() || isSpoken(request)) {
            context.fireChannelRead(message);
            return;
        }
        refused = true;
        ReferenceCountUtil.release(message);
        var refusal = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, Unpooled.EMPTY_BUFFER);
        refusal.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(refusal).addListener(ChannelFutureListener.CLOSE);
    }

    /** Accepts HTTP/1.0 and 1.1; a later 1.x is treated as 1.1, as RFC 9110 requires. */
    private static boolean isSpoken(HttpRequest request) {
        var version = request.protocolVersion();
        if (version.majorVersion() == 1 && version.minorVersion() > 1) {
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        return version.protocolName().equals("HTTP") && version.majorVersion() == 1;
    }
}
