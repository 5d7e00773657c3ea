// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;
import rookery.platform.http.MediaProperties;

class ConnectionLimitsTest {
    private static final ConnectionProperties LIMITS = new ConnectionProperties(
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            DataSize.ofBytes(100),
            DataSize.ofBytes(0),
            1000,
            0,
            Duration.ofSeconds(30),
            DataSize.ofKilobytes(64),
            List.of());

    @Test
    void aConnectionWithoutHeadersIsClosed() {
        var channel = channel();
        pass(channel, 9);
        assertThat(channel.isOpen()).isTrue();
        pass(channel, 5);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aBodyThatTricklesIsToldAndThenClosed() {
        var channel = channel();
        channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/"));
        for (int i = 0; i < 5; i++) {
            channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
            pass(channel, 6);
            channel.checkException();
        }
        pass(channel, 2);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
        assertThat(channel.isOpen()).isTrue();
        pass(channel, 5);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anUploadHasTheMoreTimeTheMoreOfItHasComeUpToTheLargestSize() {
        var channel = channel();
        channel.writeInbound(
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/_matrix/media/v3/upload?x"));
        for (int i = 0;
                i < 9;
                i++) { // 4,500 bytes, 3,000 of which extend the deadline, at 100 a second: 30 s beyond the usual 30
            channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[500])));
            pass(channel, 6);
            channel.checkException();
        }
        pass(channel, 4);
        channel.checkException();
        pass(channel, 4);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
    }

    @Test
    void theTimeOfABodyStandsStillWhileTheServerDoesNotReadIt() {
        var channel = channel();
        beginBody(channel);
        channel.config().setAutoRead(false);
        channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
        pass(channel, 300);
        channel.checkException();
        channel.read();
        pass(channel, 25);
        channel.checkException();
        pass(channel, 8);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
    }

    @Test
    void aReadAskedForWhileBytesArePassedOnCountsFromThen() {
        var channel = channel();
        beginBody(channel);
        channel.config().setAutoRead(false);
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            private boolean isSent;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (!isSent) {
                    isSent = true;
                    context.channel().read();
                }
                ReferenceCountUtil.release(message);
            }
        });
        channel.writeInbound(
                new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])),
                new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
        pass(channel, 33);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
    }

    @Test
    void aServerThatNeverReadsOnHoldsNoConnectionForEver() {
        var channel = channel();
        beginBody(channel);
        channel.config().setAutoRead(false);
        channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
        pass(channel, 640);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
    }

    @Test
    void aBodyThatIsAnsweredBeforeItsEndIsNotWaitedFor() {
        var channel = channel();
        beginBody(channel);
        channel.config().setAutoRead(false);
        channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
        channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
        pass(channel, 63);
        assertThatExceptionOfType(BodyTimeoutException.class).isThrownBy(channel::checkException);
    }

    private static void beginBody(EmbeddedChannel channel) {
        channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/"));
    }

    @Test
    void whoWaitsForAnAnswerMayWaitLong() {
        var channel = channel();
        request(channel);
        pass(channel, 300);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anIdleConnectionIsKeptForAWhile() {
        var channel = channel();
        request(channel);
        channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
        pass(channel, 58);
        assertThat(channel.isOpen()).isTrue();
        request(channel);
        channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
        pass(channel, 65);
        assertThat(channel.isOpen()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"400, M_UNKNOWN", "413, M_TOO_LARGE", "414, M_UNKNOWN", "431, M_UNKNOWN"})
    void aRefusalWithoutBodyGetsOne(int status, String errcode) {
        var channel = new EmbeddedChannel(new RefusalBody());
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status)));
        FullHttpResponse answer = channel.readOutbound();
        String body = answer.content().toString(StandardCharsets.UTF_8);
        assertThat(body).startsWith("{\"errcode\":\"" + errcode + "\",\"error\":\"");
        assertThat(answer.headers().getInt("Content-Length")).isEqualTo(body.length());
        assertThat(answer.headers().get("Content-Type")).isEqualTo("application/json");
        answer.release();
    }

    private static EmbeddedChannel channel() {
        var channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline()
                .addLast(new ReceiveDeadline(LIMITS, new MediaProperties(DataSize.ofBytes(3000), "room-service")));
        return channel;
    }

    private static void request(EmbeddedChannel channel) {
        channel.writeInbound(
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"), LastHttpContent.EMPTY_LAST_CONTENT);
    }

    private static void pass(EmbeddedChannel channel, int seconds) {
        for (int i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runPendingTasks();
        }
    }
}
