// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import rookery.model.error.ApiException;
import rookery.platform.egress.AnswerTooLongException;
import rookery.platform.egress.EgressClient;
import rookery.platform.egress.EgressClient.Settings;
import rookery.platform.json.StrictJson;
import rookery.push.gateway.GatewayAnswer.Refused;
import rookery.push.gateway.GatewayAnswer.Taken;
import rookery.push.gateway.GatewayAnswer.Unreachable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Posts notifications to push gateways, which are untrusted: the time of a request and the length of an answer are bounded, and
 * {@link EgressClient}'s restrictions apply (contract.md 12.7).
 */
@Component
public class PushGateway implements DisposableBean {
    private static final int ANSWER_BYTES_MAX = 64 << 10;
    private static final int CONNECTIONS_MAX = 1024; // of one host; the lanes have lower limits
    private static final Duration IDLE_MAX = Duration.ofSeconds(10);

    private final EgressClient client;
    private final HttpClient http;
    private final Duration timeout;

    @Autowired
    PushGateway(GatewayProperties properties, ReactorResourceFactory resources) {
        this(properties, resources, null);
    }

    /** For tests with a resolver of their own; null for DNS. */
    PushGateway(
            GatewayProperties properties,
            ReactorResourceFactory resources,
            @Nullable AddressResolverGroup<InetSocketAddress> names) {
        this.timeout = properties.gatewayTimeout();
        var connections = ConnectionProvider.builder("push")
                .maxConnections(CONNECTIONS_MAX)
                .maxIdleTime(IDLE_MAX)
                .evictInBackground(IDLE_MAX)
                .build();
        this.client = new EgressClient(new Settings(connections, timeout, properties.allowPrivate(), names), resources);
        this.http = client.http()
                .headers(headers ->
                        headers.set("Content-Type", "application/json").set("User-Agent", "Rookery"));
    }

    /** Never fails: every failure is a {@code GatewayAnswer}. */
    public Mono<GatewayAnswer> post(GatewayUrl url, byte[] json) {
        return http.post()
                .uri(url.uri())
                .send((request, out) ->
                        out.sendByteArray(Mono.just(json))) // a single buffer, so that the request has a Content-Length
                .response(PushGateway::judged)
                .next()
                .timeout(timeout)
                .onErrorResume(failure -> Mono.just(unreachable(failure)));
    }

    private static Mono<GatewayAnswer> judged(HttpClientResponse response, ByteBufFlux body) {
        int status = response.status().code();
        if (status < 200 || status > 299) {
            return Mono.just(new Refused(status)); // the rest of the answer is not read and the connection is closed
        }
        return EgressClient.bytes(body, ANSWER_BYTES_MAX)
                .map(bytes -> taken(status, bytes))
                .onErrorResume(AnswerTooLongException.class, _ -> Mono.just(new Refused(status)));
    }

    /** A valid answer is an object with at most a list of strings in {@code rejected}. */
    private static GatewayAnswer taken(int status, byte[] body) {
        try {
            var rejected = body.length == 0 ? null : StrictJson.object(body).path("rejected");
            if (rejected == null) {
                return new Refused(status);
            }
            if (rejected.isMissingNode() || rejected.isNull()) {
                return new Taken(status, Set.of());
            }
            boolean isList =
                    rejected instanceof ArrayNode && rejected.valueStream().allMatch(JsonNode::isString);
            return isList
                    ? new Taken(
                            status,
                            rejected.valueStream().map(JsonNode::stringValue).collect(Collectors.toSet()))
                    : new Refused(status);
        } catch (ApiException e) {
            return new Refused(status);
        }
    }

    private static GatewayAnswer unreachable(Throwable failure) {
        var cause = NestedExceptionUtils.getMostSpecificCause(failure);
        return new Unreachable(cause.getClass().getSimpleName());
    }

    @Override
    public void destroy() {
        client.close();
    }
}
