// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

import io.netty.channel.ChannelOption;
import io.netty.resolver.AddressResolverGroup;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Sends requests to servers that users name, which are not trusted: no connection goes to a private address unless the settings
 * allow private addresses, redirects are not followed, nothing is decompressed, and no request is retried. The caller limits the
 * time of a request and the length of a response.
 */
public final class EgressClient implements AutoCloseable {
    private final ConnectionProvider connections;
    private final HttpClient http;

    public EgressClient(Settings settings, ReactorResourceFactory resources) {
        this.connections = settings.connections;
        var client = HttpClient.create(connections)
                .runOn(resources.getLoopResources())
                .followRedirect(false)
                .compress(false) // 64 KiB can decompress to 64 MiB
                .disableRetry(true) // the caller decides about retries
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connectTimeout.toMillis());
        client = settings.allowPrivate
                ? client
                : client.doOnChannelInit((_, channel, _) -> channel.pipeline().addFirst(new ConnectGuard()));
        this.http = settings.names == null ? client : client.resolver(settings.names);
    }

    /**
     * The settings of connections.
     *
     * @param connections the pool, which the client closes
     * @param allowPrivate whether connections to private addresses are allowed
     * @param names null for DNS
     */
    public record Settings(
            ConnectionProvider connections,
            Duration connectTimeout,
            boolean allowPrivate,
            @Nullable AddressResolverGroup<InetSocketAddress> names) {}

    /** The client of reactor-netty, to which the caller may add headers. */
    public HttpClient http() {
        return http;
    }

    /** Returns the whole body; AnswerTooLongException above that number of bytes. */
    public static Mono<byte[]> bytes(ByteBufFlux body, int most) {
        return body.asByteArray()
                .reduceWith(ByteArrayOutputStream::new, (all, more) -> appended(all, more, most))
                .map(ByteArrayOutputStream::toByteArray);
    }

    private static ByteArrayOutputStream appended(ByteArrayOutputStream all, byte[] more, int most) {
        if (all.size() + more.length > most) {
            throw new AnswerTooLongException();
        }
        all.writeBytes(more);
        return all;
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
