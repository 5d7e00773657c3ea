// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import rookery.admin.tenant.ConsolePeer;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The API of operators (contract.md 20) as the console calls it: with the operator's own token, over the port at which the browser
 * reached the console, so that scopes and audit records are those of the API.
 */
@Component
class OperatorClient {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final WebClient http;
    private final ConsolePeer peer;

    OperatorClient(ReactorResourceFactory resources, ConsolePeer peer) {
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(resources, client -> client))
                .build();
        this.peer = peer;
    }

    /**
     * The answer of the API; its refusals, such as M_UNKNOWN_TOKEN.
     *
     * @param browser the browser's request, whose address the audit record gets
     * @param path below {@code /operator/v1}, encoded
     */
    Mono<JsonNode> call(
            ServerHttpRequest browser, String token, HttpMethod method, String path, @Nullable Object body) {
        var request = http.method(method)
                .uri(URI.create("http://" + authority(browser) + "/operator/v1" + path))
                .headers(headers -> {
                    headers.setBearerAuth(token);
                    headers.set(ConsolePeer.HEADER, peer.signed(address(browser)));
                });
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).bodyValue(JSON.writeValueAsBytes(body));
        }
        return request.exchangeToMono(OperatorClient::answer);
    }

    private static Mono<JsonNode> answer(ClientResponse response) {
        int status = response.statusCode().value();
        return response.bodyToMono(byte[].class).map(JSON::readTree).map(json -> {
            if (response.statusCode().isError()) {
                throw new ApiException(
                                code(json.path("errcode").asString("")),
                                json.path("error").asString("the API of operators refused"))
                        .withStatus(status);
            }
            return json;
        });
    }

    private static ErrorCode code(String name) {
        try {
            return ErrorCode.valueOf(name);
        } catch (IllegalArgumentException _) {
            return ErrorCode.M_UNKNOWN;
        }
    }

    private static String authority(ServerHttpRequest browser) {
        InetSocketAddress local = Objects.requireNonNull(browser.getLocalAddress());
        var host = local.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + local.getPort();
    }

    private static String address(ServerHttpRequest browser) {
        var remote = browser.getRemoteAddress();
        return remote == null ? "" : remote.getAddress().getHostAddress();
    }

    /** The Host header of the browser. */
    static @Nullable String host(ServerHttpRequest browser) {
        return browser.getHeaders().getFirst(HttpHeaders.HOST);
    }
}
