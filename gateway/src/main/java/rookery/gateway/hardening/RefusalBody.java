// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import rookery.model.error.ErrorCode;

/** Adds the JSON error body (contract.md 2.4) to refusals that Netty writes before a request exists. */
@Sharable
final class RefusalBody extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof FullHttpResponse response
                && response.status().code() >= 400
                && !response.content().isReadable()
                && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE)) {
            var content = ByteBufUtil.writeUtf8(
                    context.alloc(), body(response.status().code()));
            var answer = response.replace(content);
            response.release();
            answer.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes())
                    .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
            var _ = context.write(answer, promise);
        } else {
            var _ = context.write(message, promise);
        }
    }

    private static String body(int status) {
        var code = status == 413 ? ErrorCode.M_TOO_LARGE : ErrorCode.M_UNKNOWN;
        String reason = switch (status) {
            case 413 -> "the request is too large";
            case 414 -> "the address of the request is too long";
            case 431 -> "the headers of the request are too long";
            case 505 -> "send the request as HTTP/1.1";
            default -> "this is not a request that can be read";
        };
        return "{\"errcode\":\"" + code + "\",\"error\":\"" + reason + "\"}";
    }
}
