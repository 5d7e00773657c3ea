// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.resolver.AddressResolverGroup;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import rookery.platform.egress.EgressClient;
import rookery.platform.egress.EgressClient.Settings;
import rookery.platform.egress.HostNames;

/**
 * Fetches pages and pictures and follows redirects; every redirect target is checked like the first address. Requests carry no
 * information about the user. The caller bounds the time.
 */
@Component
class PageFetcher implements DisposableBean {
    private static final int REDIRECTS_MAX = 3;
    /** Above Netty's 8 KiB, since large sites send long cookies and policies. */
    private static final int HEADER_BYTES_MAX = 32 << 10;

    private final PreviewProperties properties;
    private final EgressClient client;
    private final HttpClient http;

    @Autowired
    PageFetcher(PreviewProperties properties, ReactorResourceFactory resources) {
        this(properties, resources, null);
    }

    /** @param names resolver of host names; null for DNS */
    PageFetcher(
            PreviewProperties properties,
            ReactorResourceFactory resources,
            @Nullable AddressResolverGroup<InetSocketAddress> names) {
        this.properties = properties;
        var connections = ConnectionProvider.newConnection(); // many hosts, one request each
        this.client = new EgressClient(
                new Settings(connections, properties.timeout(), properties.allowPrivate(), names), resources);
        this.http = client.http()
                .keepAlive(false)
                .httpResponseDecoder(decoder -> decoder.maxHeaderSize(HEADER_BYTES_MAX))
                .headers(headers -> headers.set("User-Agent", "Rookery (bot; URL previews)")
                        .set("Accept", "text/html, application/xhtml+xml, image/*;q=0.9")
                        .set("Accept-Encoding", "identity"));
    }

    /** Reads a successful response. */
    interface Reader<T> {
        /**
         * Reads a response.
         *
         * @param url the answering address, after all redirects
         */
        Mono<T> read(PageUrl url, HttpHeaders headers, ByteBufFlux body);
    }

    private sealed interface Hop<T> {
        record End<T>(T value) implements Hop<T> {}

        record Redirect<T>(PageUrl to) implements Hop<T> {}
    }

    /** The reader's result, which may be empty. UnreachableException, or the failure of a connection. */
    <T> Mono<T> ask(PageUrl url, Reader<T> reader) {
        return hop(url, reader, REDIRECTS_MAX);
    }

    private <T> Mono<T> hop(PageUrl url, Reader<T> reader, int redirectsLeft) {
        if (!mayBeAsked(url)) {
            return Mono.error(UnreachableException::new);
        }
        return http.get()
                .uri(url.uri())
                .response((response, body) -> judged(url, response, body, reader))
                .next()
                .flatMap(hop -> switch (hop) {
                    case Hop.End<T>(var value) -> Mono.just(value);
                    case Hop.Redirect<T>(var to) ->
                        redirectsLeft > 0
                                ? hop(to, reader, redirectsLeft - 1)
                                : Mono.<T>error(UnreachableException::new);
                });
    }

    private boolean mayBeAsked(PageUrl url) {
        return properties.ports().contains(url.port())
                && !properties.isDenied(url.host())
                && HostNames.objection(url.host(), properties.allowPrivate()) == null;
    }

    private static <T> Mono<Hop<T>> judged(
            PageUrl url, HttpClientResponse response, ByteBufFlux body, Reader<T> reader) {
        var headers = response.responseHeaders();
        return switch (response.status().code()) {
            case 200 ->
                isEncoded(headers)
                        ? Mono.error(UnreachableException::new)
                        : reader.read(url, headers, body).map(Hop.End::new);
            case 301, 302, 303, 307, 308 -> {
                String location = headers.get("Location");
                var to = location == null ? null : url.resolve(location);
                yield to == null ? Mono.error(UnreachableException::new) : Mono.just(new Hop.Redirect<>(to));
            }
            default -> Mono.error(UnreachableException::new);
        };
    }

    /** Whether the body is compressed, although the request forbids compression. */
    private static boolean isEncoded(HttpHeaders headers) {
        String encoding = headers.get("Content-Encoding");
        return encoding != null && !encoding.isBlank() && !encoding.equalsIgnoreCase("identity");
    }

    /** The first bytes of a body, up to {@code most}; the rest is not read. */
    static Mono<byte[]> beginning(Flux<byte[]> body, int most) {
        return Mono.defer(() -> {
            var bytes = new ByteArrayOutputStream();
            return body.takeUntil(part -> {
                        bytes.write(part, 0, Math.min(part.length, most - bytes.size()));
                        return bytes.size() >= most;
                    })
                    .then(Mono.fromSupplier(bytes::toByteArray));
        });
    }

    @Override
    public void destroy() {
        client.close();
    }
}
