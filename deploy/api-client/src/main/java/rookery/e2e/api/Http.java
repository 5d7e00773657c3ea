package rookery.e2e.api;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Talks to one site, and remembers the latest answers for whoever has to find out what went wrong. */
public final class Http implements AutoCloseable {
    static {
        // a tenant is chosen by the Host header, which the JDK lets nobody set unless this is said before its first
        // request
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    /** Longer than the longest poll. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
    private static final int REMEMBERED = 50;
    private static final JsonMapper JSON = JsonMapper.shared();

    private static volatile BiConsumer<Answer, String> observer = (_, _) -> {};

    private final TenantAddress site;
    private final HttpClient client;
    private final ConcurrentLinkedDeque<Answer> latest = new ConcurrentLinkedDeque<>();

    private Http(TenantAddress site, HttpClient client) {
        this.site = site;
        this.client = client;
    }

    public static Http to(TenantAddress site) {
        return new Http(site, builder().build());
    }

    /** As a client of another address of this machine, such as 127.0.0.5. */
    public static Http to(TenantAddress site, InetAddress from) {
        return new Http(site, builder().localAddress(from).build());
    }

    /** Is told every answer from now on, and the prefix of its path, on the thread that asked. */
    public static void observe(BiConsumer<Answer, String> by) {
        observer = by;
    }

    /** For whoever connects otherwise: how all of our clients are made. */
    public static HttpClient.Builder builder() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_PATIENCE);
    }

    public TenantAddress site() {
        return site;
    }

    /**
     * Asks, with a body of JSON or none.
     *
     * @param path after the prefix, such as {@code /v3/sync}
     * @throws IOException when there was no answer
     */
    public Answer call(String method, String path, @Nullable String token, @Nullable Map<String, ?> body)
            throws IOException {
        var publisher =
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
        return call(method, path, token == null ? Map.of() : Map.of("Authorization", "Bearer " + token), publisher);
    }

    /** Asks with any text as the body and any headers. */
    public Answer raw(String method, String path, Map<String, String> headers, String body) throws IOException {
        return call(method, path, headers, BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)));
    }

    private Answer call(String method, String path, Map<String, String> headers, BodyPublisher body)
            throws IOException {
        var request = HttpRequest.newBuilder(site.uri(path)).timeout(PATIENCE).method(method, body);
        request.setHeader("Host", site.host());
        headers.forEach(request::setHeader);
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            var answer = new Answer(method + " " + path, response.statusCode(), response.headers(), response.body());
            remember(answer);
            observer.accept(answer, site.prefix());
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(method + " " + path);
        }
    }

    /** The latest answers, oldest first. */
    public List<Answer> latest() {
        return List.copyOf(latest);
    }

    private void remember(Answer answer) {
        latest.add(answer);
        if (latest.size() > REMEMBERED) {
            latest.poll();
        }
    }

    /** Ends requests that still run. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
