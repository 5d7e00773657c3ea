// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls {@code /internal/**} of another service: the instance of the key first, the next instance if the connection is refused.
 *
 * <p>A refusal with an errcode becomes an {@link ApiException}; any other failure becomes 503.
 */
@Component
public class ServiceClient {
    /** Paths with bodies of any length. */
    public static final String FILES = "/internal/tenants/media/";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ANSWER_BYTES_MAX = 64 << 20;
    private static final long LARGE_ANSWER_BYTES = 16 * 1024;
    private static final int BYTES_AND_OBJECTS = 3;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Instances instances;
    private final ServiceCredential credential;
    private final ReactorResourceFactory resources;
    private final Duration timeout;
    private final WebClient http;

    @Autowired
    public ServiceClient(Instances instances, ServiceCredential credential, ReactorResourceFactory resources) {
        this(instances, credential, resources, TIMEOUT);
    }

    private ServiceClient(
            Instances instances, ServiceCredential credential, ReactorResourceFactory resources, Duration timeout) {
        this.instances = instances;
        this.credential = credential;
        this.resources = resources;
        this.timeout = timeout;
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        resources,
                        (HttpClient client) -> client.responseTimeout(timeout).compress(false)))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(ANSWER_BYTES_MAX))
                .build();
    }

    /** Returns a client with another timeout, for slow calls such as ending sessions while Redis is away. */
    public ServiceClient waiting(Duration longest) {
        return new ServiceClient(instances, credential, resources, longest);
    }

    /** The instances that a call with this key tries, in this order. */
    public List<Instance> instances(String service, String key) {
        return instances.ranked(service, key);
    }

    /** GET of a path with its query, such as {@code /internal/log/3?after=7}; the caller encodes foreign parts. */
    public <T> Mono<T> get(String service, String key, String path, Class<T> answer) {
        return exchange(service, key, HttpMethod.GET, path, null, answer);
    }

    /** POST of a value as JSON. Retried on another instance only after a refused connection, when nothing has happened yet. */
    public <T> Mono<T> post(String service, String key, String path, Object body, Class<T> answer) {
        return exchange(service, key, HttpMethod.POST, path, JSON.writeValueAsBytes(body), answer);
    }

    /** POST of a value as JSON to the instance at this address, {@code host:port}, and to no other instance. */
    public <T> Mono<T> postTo(String service, String address, String path, Object body, Class<T> answer) {
        return Mono.defer(() -> call(
                service,
                new Instance(service, address, null),
                HttpMethod.POST,
                path,
                JSON.writeValueAsBytes(body),
                answer));
    }

    /**
     * POST with a response that is read line by line, with backpressure; the timeout applies to the first line, and then to each
     * read. Retried like {@link #post}.
     */
    public Flux<String> lines(String service, String key, String path, Object body) {
        byte[] sent = JSON.writeValueAsBytes(body);
        return Flux.defer(() -> attemptLines(instances.ranked(service, key), 0, service, path, sent));
    }

    private Flux<String> attemptLines(List<Instance> ranked, int index, String service, String path, byte[] body) {
        if (index == ranked.size()) {
            return Flux.error(away(service));
        }
        return request(service, ranked.get(index), HttpMethod.POST, path, body)
                .exchangeToFlux(ServiceClient::readLines)
                .timeout(Mono.delay(timeout), _ -> Mono.never())
                .onErrorResume(
                        ServiceClient::nothingListens, _ -> attemptLines(ranked, index + 1, service, path, body));
    }

    private static Flux<String> readLines(ClientResponse response) {
        return response.statusCode().is2xxSuccessful()
                ? response.bodyToFlux(String.class)
                : read(response, String.class).flux();
    }

    /** GET of a body of any length, with backpressure. The reader releases each part. */
    public Flux<DataBuffer> bytes(String service, String key, String path) {
        return Flux.defer(() -> request(service, first(service, key), HttpMethod.GET, path, null)
                .exchangeToFlux(response -> response.statusCode().is2xxSuccessful()
                        ? response.bodyToFlux(DataBuffer.class)
                        : read(response, DataBuffer.class).flux()));
    }

    /** POST of a body of any length below {@link #FILES}, which cannot be repeated on another instance. */
    public <T> Mono<T> upload(String service, String key, String path, Flux<DataBuffer> body, Class<T> answer) {
        return Mono.defer(() -> {
            var uri = URI.create("http://" + first(service, key).address() + path);
            return http.post()
                    .uri(uri)
                    .header(ServiceCredential.HEADER, credential.sign(service, HttpMethod.POST, uri.getRawPath()))
                    .body(BodyInserters.fromDataBuffers(body))
                    .exchangeToMono(response -> read(response, answer));
        });
    }

    private Instance first(String service, String key) {
        return instances.ranked(service, key).stream().findFirst().orElseThrow(() -> away(service));
    }

    private <T> Mono<T> exchange(
            String service,
            String key,
            HttpMethod method,
            String path,
            byte @org.jspecify.annotations.Nullable [] body,
            Class<T> answer) {
        return Mono.defer(() -> {
            var ranked = instances.ranked(service, key);
            return attempt(ranked, 0, service, instance -> call(service, instance, method, path, body, answer));
        });
    }

    private static <T> Mono<T> attempt(
            List<Instance> ranked, int index, String service, Function<Instance, Mono<T>> call) {
        if (index == ranked.size()) {
            return Mono.error(away(service));
        }
        return call.apply(ranked.get(index))
                .onErrorResume(ServiceClient::nothingListens, _ -> attempt(ranked, index + 1, service, call));
    }

    private static ApiException away(String service) {
        return ApiException.unavailable(service + " is not available, try again in a moment");
    }

    private static boolean nothingListens(Throwable failure) {
        return failure instanceof WebClientRequestException e && e.getCause() instanceof ConnectException;
    }

    private <T> Mono<T> call(
            String service,
            Instance instance,
            HttpMethod method,
            String path,
            byte @org.jspecify.annotations.Nullable [] body,
            Class<T> answer) {
        return request(service, instance, method, path, body)
                .exchangeToMono(response -> read(response, answer))
                .timeout(timeout);
    }

    private WebClient.RequestHeadersSpec<?> request(
            String service,
            Instance instance,
            HttpMethod method,
            String path,
            byte @org.jspecify.annotations.Nullable [] body) {
        var uri = URI.create("http://" + instance.address() + path);
        var request = http.method(method)
                .uri(uri)
                .header(ServiceCredential.HEADER, credential.sign(service, method, uri.getRawPath()));
        return body == null
                ? request
                : request.header("Content-Type", "application/json").bodyValue(body);
    }

    private static <T> Mono<T> read(ClientResponse response, Class<T> answer) {
        return reserved(response)
                .then(response.bodyToMono(byte[].class))
                .defaultIfEmpty(new byte[0])
                .map(bytes -> parsed(response.statusCode(), bytes, answer));
    }

    /** Reserves the response's size as bytes and as objects, for the request that this service is answering. */
    private static Mono<Void> reserved(ClientResponse response) {
        long length = response.headers().contentLength().orElse(0);
        return length < LARGE_ANSWER_BYTES
                ? Mono.empty()
                : AnswerBudget.reserve(BYTES_AND_OBJECTS * length)
                        .onErrorResume(full -> response.releaseBody().then(Mono.error(full)));
    }

    private static <T> T parsed(HttpStatusCode status, byte[] bytes, Class<T> answer) {
        if (status.is2xxSuccessful()) {
            return JSON.readValue(bytes, answer);
        }
        var refusal = bytes.length == 0 ? null : JSON.readTree(bytes);
        if (status.value() < 500 && refusal != null && refusal.path("errcode").isString()) {
            var code = ErrorCode.named(refusal.path("errcode").stringValue());
            throw new ApiException(code, refusal.path("error").asString("")).withStatus(status.value());
        }
        throw ApiException.unavailable("a part of the server answered " + status.value() + ", try again in a moment");
    }
}
