// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP client of one tenant. The last responses are kept for the error report of a failed test. */
public final class Http implements AutoCloseable {
    static {
        // the Host header selects the tenant; the JDK permits setting that header only with this property, read at its
        // first
        // request
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    /** Longer than the longest long poll. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
    private static final int REMEMBERED = 50;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The attempts of one request, each after the wait that the rate limit demanded. */
    private static final int REFUSALS_MAX = 20;

    private static final List<BiConsumer<Answer, String>> OBSERVERS = new CopyOnWriteArrayList<>();

    private final TenantAddress site;
    private final HttpClient client;
    private final ConcurrentLinkedDeque<Answer> latest = new ConcurrentLinkedDeque<>();

    private final @Nullable RateLimitWait wait;

    private Http(TenantAddress site, HttpClient client, @Nullable RateLimitWait wait) {
        this.site = site;
        this.client = client;
        this.wait = wait;
    }

    /** The wait between a refusal by the rate limit and the retry. */
    @FunctionalInterface
    public interface RateLimitWait {
        void await(Answer refused) throws InterruptedException;
    }

    public static Http to(TenantAddress site) {
        return new Http(site, builder().build(), null);
    }

    /** A client that repeats refused requests after a wait, so that callers see a 429 only after many attempts. */
    public static Http waiting(TenantAddress site, RateLimitWait wait) {
        return new Http(site, builder().build(), wait);
    }

    /** A client with another source address of this machine, such as 127.0.0.5. */
    public static Http to(TenantAddress site, InetAddress from) {
        return new Http(site, builder().localAddress(from).build(), null);
    }

    /** Adds an observer of all later responses. It gets the response and the path prefix, on the thread of the request. */
    public static void observe(BiConsumer<Answer, String> by) {
        OBSERVERS.add(by);
    }

    /** The common settings of all test clients, for code that builds its own client. */
    public static HttpClient.Builder builder() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_PATIENCE);
    }

    public TenantAddress site() {
        return site;
    }

    /**
     * Sends a request with a JSON body or without a body.
     *
     * @param path behind the prefix, such as {@code /v3/sync}
     * @throws IOException when no response arrived
     */
    public Answer call(String method, String path, @Nullable String token, @Nullable Map<String, ?> body)
            throws IOException {
        var publisher =
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
        return call(method, path, token == null ? Map.of() : Map.of("Authorization", "Bearer " + token), publisher);
    }

    /** Sends a request with arbitrary headers and a body of arbitrary text. */
    public Answer raw(String method, String path, Map<String, String> headers, String body) throws IOException {
        return call(method, path, headers, BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)));
    }

    private Answer call(String method, String path, Map<String, String> headers, BodyPublisher body)
            throws IOException {
        var request = HttpRequest.newBuilder(site.uri(path)).timeout(PATIENCE).method(method, body);
        request.setHeader("Host", site.host());
        headers.forEach(request::setHeader);
        try {
            var answer = answer(method + " " + path, request.build());
            for (int refusals = 1; wait != null && answer.isRateLimited() && refusals < REFUSALS_MAX; refusals++) {
                wait.await(answer);
                answer = answer(method + " " + path, request.build());
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(method + " " + path);
        } catch (HttpConnectTimeoutException e) {
            throw e;
        } catch (HttpTimeoutException _) {
            throw new HttpTimeoutException(
                    "%s %s was not answered within %d s".formatted(method, path, PATIENCE.toSeconds()));
        }
    }

    private Answer answer(String name, HttpRequest request) throws IOException, InterruptedException {
        var response = client.send(request, BodyHandlers.ofString());
        var answer = new Answer(name, response.statusCode(), response.headers(), response.body());
        remember(answer);
        OBSERVERS.forEach(observer -> observer.accept(answer, site.prefix()));
        return answer;
    }

    /** The last responses, oldest first. */
    public List<Answer> latest() {
        return List.copyOf(latest);
    }

    private void remember(Answer answer) {
        latest.add(answer);
        if (latest.size() > REMEMBERED) {
            latest.poll();
        }
    }

    /** Aborts open requests. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
