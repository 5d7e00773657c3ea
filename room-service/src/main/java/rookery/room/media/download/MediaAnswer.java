// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.room.media.MediaBytes;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.MediaStore;

/**
 * Sends a file: whole, one range, or 304 if the client has the file (contract.md 13.4). The headers keep browsers from
 * running the content.
 */
@Component
class MediaAnswer {
    private static final Duration CACHED = Duration.ofDays(365);
    private static final String POLICY = "sandbox; default-src 'none'; script-src 'none'; plugin-types application/pdf;"
            + " style-src 'unsafe-inline'; media-src 'self'; object-src 'self';";

    private final MediaStore store;
    private final MediaBytes sent;

    MediaAnswer(MediaStore store, MediaBytes sent) {
        this.store = store;
        this.sent = sent;
    }

    /** M_NOT_FOUND if the store has lost the file. */
    Mono<Void> send(ServerWebExchange exchange, TenantId tenant, Stored file) {
        var response = exchange.getResponse();
        var headers = response.getHeaders();
        String tag = "\"" + file.hash().hex() + "\"";
        headers.setETag(tag);
        headers.setCacheControl(CacheControl.maxAge(CACHED).cachePrivate().immutable());
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "cross-origin");
        headers.set(HttpHeaders.ACCEPT_RANGES, "bytes");
        if (has(exchange.getRequest(), tag)) {
            response.setStatusCode(HttpStatus.NOT_MODIFIED);
            return response.setComplete();
        }
        headers.set(HttpHeaders.CONTENT_TYPE, file.servedType());
        headers.setContentDisposition(disposition(file));
        var range = range(exchange.getRequest(), tag);
        long from = range == null ? 0 : range.getRangeStart(file.size());
        long to = range == null ? file.size() : Math.min(file.size(), range.getRangeEnd(file.size()) + 1);
        if (range != null && from >= file.size()) {
            headers.set(HttpHeaders.CONTENT_RANGE, "bytes */" + file.size());
            response.setStatusCode(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
            headers.remove(HttpHeaders.CONTENT_TYPE);
            headers.remove(HttpHeaders.CONTENT_DISPOSITION);
            return response.setComplete();
        }
        if (range != null) {
            headers.set(HttpHeaders.CONTENT_RANGE, "bytes " + from + "-" + (to - 1) + "/" + file.size());
            response.setStatusCode(HttpStatus.PARTIAL_CONTENT);
        }
        headers.setContentLength(to - from);
        return response.writeWith(store.read(tenant, file.hash(), from, to - from)
                        .doOnNext(part -> sent.downloaded(part.readableByteCount())))
                .doOnError(_ -> forgetFile(response));
    }

    /** Removes the caching headers, so that no cache keeps an error for a year. */
    private static void forgetFile(ServerHttpResponse response) {
        if (!response.isCommitted()) {
            response.getHeaders().remove(HttpHeaders.ETAG);
            response.getHeaders().remove(HttpHeaders.CACHE_CONTROL);
        }
    }

    private static ContentDisposition disposition(Stored file) {
        var disposition = file.isShown() ? ContentDisposition.inline() : ContentDisposition.attachment();
        if (file.name() != null) {
            disposition.filename(file.name(), StandardCharsets.UTF_8);
        }
        return disposition.build();
    }

    /** Whether If-None-Match contains the tag, weak or strong; a malformed header contains no tag. */
    private static boolean has(ServerHttpRequest request, String tag) {
        return request.getHeaders().getOrEmpty(HttpHeaders.IF_NONE_MATCH).stream()
                .anyMatch(tags -> tags.contains(tag) || tags.strip().equals("*"));
    }

    /** The request's only range; null for several or malformed ranges, to which the answer is the whole file. */
    private static @Nullable HttpRange range(ServerHttpRequest request, String tag) {
        String condition = request.getHeaders().getFirst(HttpHeaders.IF_RANGE);
        if (condition != null && !condition.equals(tag)) {
            return null;
        }
        try {
            List<HttpRange> ranges = request.getHeaders().getRange();
            return ranges.size() == 1 ? ranges.getFirst() : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
