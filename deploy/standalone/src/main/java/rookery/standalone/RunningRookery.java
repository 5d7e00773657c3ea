// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import rookery.embedded.Folders;
import rookery.platform.http.ServiceCredential;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the internal API of the services that run on a data folder. */
final class RunningRookery {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path data;
    private final Installation installation;
    private final String tenant;

    private RunningRookery(Path data, Installation installation, String tenant) {
        this.data = data;
        this.installation = installation;
        this.tenant = tenant;
    }

    /** Finds the services of a data folder; throws a complaint when no run exists. */
    static RunningRookery at(Path data, @Nullable String tenant) {
        var settings = Folders.propertiesOf(data.resolve("config").resolve("auth-service-1.properties"));
        String installation = Folders.textOf(data.resolve(DataFolder.INSTALLATION));
        if (settings == null
                || installation == null
                || Folders.textOf(data.resolve("instances").resolve("auth-service-1")) == null) {
            throw nothingRuns(data);
        }
        var named = tenant == null ? settings.getProperty("rookery.tenants[0].server-name", "") : tenant;
        return new RunningRookery(data, Installation.parse(installation), named);
    }

    static Complaint nothingRuns(Path data) {
        return Complaint.failure(
                "nothing runs on the data folder %s: start it with deploy/run, or name another one with --data"
                        .formatted(data));
    }

    String serverName() {
        return tenant;
    }

    /**
     * Posts to {@code /internal/admin/<action>} of auth-service, with the tenant's number in the registry; a refusal becomes a
     * complaint with the server's error.
     */
    JsonNode ask(String action, Map<String, ?> question) {
        var body = new HashMap<String, Object>(question);
        body.put(
                "tenant",
                OperatorClient.of(data)
                        .ask("GET", "/tenants/" + tenant, null)
                        .path("number")
                        .asInt());
        var request = request("auth-service", action)
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)));
        return send("auth-service", request.build(), BodyHandlers.ofString(), JSON::readTree, answer -> answer);
    }

    /** Posts to {@code /internal/admin/<action>} of the service that owns a log. */
    JsonNode askOwner(String service, String action) {
        var request = request(service, action).timeout(PATIENCE).POST(BodyPublishers.ofString("{}"));
        return send(service, request.build(), BodyHandlers.ofString(), JSON::readTree, answer -> answer);
    }

    /** Posts a long request, and passes on the JSON lines of the response as they arrive. */
    void askForLines(String service, String action, Consumer<JsonNode> lines) {
        var request =
                request(service, action).POST(BodyPublishers.ofString("{}")).build();
        send(
                service,
                request,
                BodyHandlers.ofLines(),
                answer -> {
                    answer.map(JSON::readTree).forEach(lines);
                    return true;
                },
                answer -> answer.collect(Collectors.joining()));
    }

    private HttpRequest.Builder request(String service, String action) {
        var instance = Folders.propertiesOf(data.resolve("instances").resolve(service + "-1"));
        if (instance == null) {
            throw nothingRuns(data);
        }
        var credential = installation.operatorCredential();
        var address = instance.getProperty("address", "");
        var path = "/internal/admin/" + action;
        return HttpRequest.newBuilder(URI.create("http://" + address + path))
                .header("Content-Type", "application/json")
                .header(ServiceCredential.HEADER, credential.sign(service, HttpMethod.POST, path));
    }

    private static <B, A> A send(
            String service, HttpRequest request, BodyHandler<B> body, Function<B, A> read, Function<B, String> text) {
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, body);
            if (answer.statusCode() != OK) {
                throw Complaint.failure(reason(text.apply(answer.body())));
            }
            return read.apply(answer.body());
        } catch (IOException | UncheckedIOException e) {
            throw Complaint.failure("%s does not answer (%s): is Rookery running?".formatted(service, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted");
        }
    }

    static String reason(String answer) {
        var refusal = answer.startsWith("{") ? JSON.readTree(answer) : JSON.createObjectNode();
        return "%s (%s)"
                .formatted(
                        refusal.path("error").asString("this was refused"),
                        refusal.path("errcode").asString("no code"));
    }
}
