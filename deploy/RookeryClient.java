import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small client of Rookery without any library, for the programs that are started from their source beside this file. */
abstract class RookeryClient {
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    final String url;
    private final boolean waits;

    /** @param waits whether it waits when the server says that it asks too much, and asks again */
    RookeryClient(String url, boolean waits) {
        this.url = url;
        this.waits = waits;
    }

    /** The address that somebody typed: with its scheme, and without slashes at its end. */
    static String address(String typed) {
        var given = typed.replaceAll("/+$", "");
        return given.matches("https?://.+") ? given : "http://" + given;
    }

    /** First the server says what it wants to know, which is nothing; then the account is made. */
    final Person register(String name) throws IOException, InterruptedException {
        var unique = name + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
        var password = "correct horse " + new SecureRandom().nextLong();
        var wish = object("username", unique, "password", password);
        var answer = send(null, "POST", "/v3/register", wish);
        if (answer.status == 401) {
            wish.put("auth", object("type", "m.login.dummy", "session", text(answer.body, "session")));
            answer = send(null, "POST", "/v3/register", wish);
        }
        var session = answer.orFail();
        return new Person(name, text(session, "user_id"), password, text(session, "access_token"));
    }

    record Person(String name, String user, String password, String token) {}

    record Answer(String request, int status, Map<String, Object> body) {
        Map<String, Object> orFail() throws IOException {
            if (status == 429) {
                throw new IOException("too many requests from here: wait %d s, or raise the limit (deploy/run --max-requests)"
                        .formatted(retryAfter().toSeconds()));
            }
            if (status != 200) {
                throw new IOException("%s was answered with %d %s %s"
                        .formatted(request, status, body.getOrDefault("errcode", ""), body.getOrDefault("error", "")));
            }
            if (body.containsKey("text")) {
                throw new IOException("%s was answered with no JSON: is a Rookery there?".formatted(request));
            }
            return body;
        }

        private Duration retryAfter() {
            return Duration.ofMillis(((Number) body.getOrDefault("retry_after_ms", 60_000L)).longValue() + 1000);
        }
    }

    final Map<String, Object> call(Person who, String method, String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        return send(who, method, path, body).orFail();
    }

    final Answer send(Person who, String method, String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + (path.startsWith("/_api/") ? path : "/_api/client" + path)))
                .timeout(Duration.ofSeconds(40))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
        if (who != null) {
            request.header("Authorization", "Bearer " + who.token);
        }
        var answer = answered(request.build(), method + " " + path.replaceAll("\\?.*", ""));
        if (answer.status == 429 && waits) {
            Thread.sleep(answer.retryAfter());
            answer = answered(request.build(), answer.request);
        }
        return answer;
    }

    private Answer answered(HttpRequest request, String name) throws IOException, InterruptedException {
        var response = http.send(request, BodyHandlers.ofString());
        if (!response.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
            return new Answer(name, response.statusCode(), object("text", response.body()));
        }
        try {
            return new Answer(name, response.statusCode(), asMap(new Json(response.body()).read()));
        } catch (RuntimeException e) {
            throw new IOException("%s was answered with %d and JSON that is cut off".formatted(name, response.statusCode()));
        }
    }

    static String roomPath(String room) {
        return "/v3/rooms/" + encoded(room);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static void say(String line) {
        System.out.println(line);
    }

    // JSON: what is missing is empty

    static Map<String, Object> object(Object... keysAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asMap(Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    static Map<String, Object> map(Map<String, Object> object, String key) {
        return asMap(object.get(key));
    }

    static List<Map<String, Object>> list(Map<String, Object> object, String key) {
        return object.get(key) instanceof List<?> list ? list.stream().map(RookeryClient::asMap).toList() : List.of();
    }

    static String text(Map<String, Object> object, String key) {
        return object.get(key) instanceof String text ? text : "";
    }
}
