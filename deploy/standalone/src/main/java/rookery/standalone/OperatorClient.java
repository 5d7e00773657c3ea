// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Client of the operators' API (contract.md 20). A refusal becomes a complaint with the server's error.
 *
 * @param firstTenant the first tenant of the data folder's configuration; null without a data folder
 */
record OperatorClient(URI base, String token, @Nullable String firstTenant) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int OK = 200;
    /** For an operator outside of the machine or container of admin-service. */
    private static final String URL_VARIABLE = "ROOKERY_OPERATOR_URL";

    private static final String TOKEN_VARIABLE = "ROOKERY_OPERATOR_TOKEN";

    /** A file with the token instead, because the description of a container shows its environment. */
    private static final String TOKEN_FILE_VARIABLE = "ROOKERY_OPERATOR_TOKEN_FILE";

    /** The API of the Rookery that runs on the data folder, or the one that the environment names. */
    static OperatorClient of(Path data) {
        var url = System.getenv(URL_VARIABLE);
        if (url != null) {
            return new OperatorClient(URI.create(url), token(System.getenv()), null);
        }
        var settings = Folders.propertiesOf(data.resolve("config").resolve("admin-service-1.properties"));
        if (settings == null || Folders.textOf(data.resolve("instances").resolve("admin-service-1")) == null) {
            throw nothingRuns(data);
        }
        return new OperatorClient(
                URI.create("http://127.0.0.1:" + settings.getProperty("rookery.admin.operator.port", "")),
                settings.getProperty("rookery.admin.operator.token", ""),
                settings.getProperty("rookery.tenants[0].server-name"));
    }

    private static Complaint nothingRuns(Path data) {
        return Complaint.failure(
                "nothing runs on the data folder %s: start it with deploy/run, or name another one with --data"
                        .formatted(data));
    }

    /** The path of a tenant: the named one, otherwise the first of the configuration or of the registry. */
    String tenant(@Nullable String named) {
        var tenant = named == null ? firstTenant : named;
        return "/tenants/" + part(tenant == null ? firstOfRegistry() : tenant);
    }

    private String firstOfRegistry() {
        return ask("GET", "/tenants?limit=1", null)
                .path("tenants")
                .path(0)
                .path("server_name")
                .asString("");
    }

    /** A text as a part of a path or query. */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static String token(Map<String, String> environment) {
        var token = environment.get(TOKEN_VARIABLE);
        if (token != null) {
            return token;
        }
        var file = environment.get(TOKEN_FILE_VARIABLE);
        if (file == null) {
            throw Complaint.usage(
                    "set %s or %s beside %s".formatted(TOKEN_VARIABLE, TOKEN_FILE_VARIABLE, URL_VARIABLE));
        }
        var text = Folders.textOf(Path.of(file));
        if (text == null) {
            throw Complaint.failure("there is no file %s, which %s names".formatted(file, TOKEN_FILE_VARIABLE));
        }
        return text.strip();
    }

    /** @param path below {@code /operator/v1} */
    JsonNode ask(String method, String path, @Nullable Object body) {
        var request = request(method, path, body).timeout(PATIENCE).build();
        return send(request, BodyHandlers.ofString(), JSON::readTree, answer -> answer);
    }

    /** Posts a long request, and passes on the JSON lines of the answer as they arrive. */
    void askForLines(String path, Consumer<JsonNode> lines) {
        send(
                request("POST", path, null).build(),
                BodyHandlers.ofLines(),
                answer -> {
                    answer.map(JSON::readTree).forEach(lines);
                    return true;
                },
                answer -> answer.collect(Collectors.joining()));
    }

    private HttpRequest.Builder request(String method, String path, @Nullable Object body) {
        return HttpRequest.newBuilder(base.resolve("/operator/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }

    private static <B, A> A send(
            HttpRequest request, BodyHandler<B> body, Function<B, A> read, Function<B, String> text) {
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, body);
            if (answer.statusCode() != OK) {
                throw Complaint.failure(reason(text.apply(answer.body())));
            }
            return read.apply(answer.body());
        } catch (IOException | UncheckedIOException e) {
            throw Complaint.failure("admin-service does not answer (%s): is Rookery running?".formatted(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted");
        }
    }

    /** The error of a refusal. */
    static String reason(String answer) {
        var refusal = answer.startsWith("{") ? JSON.readTree(answer) : JSON.createObjectNode();
        return "%s (%s)"
                .formatted(
                        refusal.path("error").asString("this was refused"),
                        refusal.path("errcode").asString("no code"));
    }

    @Override
    public String toString() {
        return base.toString(); // without the token
    }
}
