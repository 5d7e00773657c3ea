// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Gives every answer of the public port a date, and forbids caches to keep JSON (contract.md 2.1). The handler is next to the
 * HTTP codec, so refusals that Netty itself writes have these headers as well.
 */
@Sharable
final class AnswerHeaders extends ChannelOutboundHandlerAdapter {
    /** RFC 9110 requires two digits for the day, unlike RFC_1123_DATE_TIME of java.time. */
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final Clock clock;
    /** The formatted date, renewed once a second. */
    private volatile WrittenDate written = new WrittenDate(-1, "");

    private record WrittenDate(long second, String text) {}

    AnswerHeaders(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            complete(response.headers());
        }
        var _ = context.write(message, promise);
    }

    private void complete(HttpHeaders headers) {
        if (!headers.contains(HttpHeaderNames.DATE)) {
            headers.set(HttpHeaderNames.DATE, date());
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
        boolean isJson = type.regionMatches(
                true, 0, HttpHeaderValues.APPLICATION_JSON.toString(), 0, HttpHeaderValues.APPLICATION_JSON.length());
        if (isJson && !headers.contains(HttpHeaderNames.CACHE_CONTROL)) {
            headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        }
    }

    private String date() {
        var now = clock.instant();
        var latest = written;
        if (latest.second != now.getEpochSecond()) {
            latest = new WrittenDate(now.getEpochSecond(), HTTP_DATE.format(now));
            written = latest;
        }
        return latest.text;
    }
}
