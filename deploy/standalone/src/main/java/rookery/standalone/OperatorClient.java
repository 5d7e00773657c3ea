// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of the operators' API (contract.md 20). A refusal becomes a complaint with the server's error. */
record OperatorClient(URI base, String token) {
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
            return new OperatorClient(URI.create(url), token(System.getenv()));
        }
        var settings = Folders.propertiesOf(data.resolve("config").resolve("admin-service-1.properties"));
        if (settings == null || Folders.textOf(data.resolve("instances").resolve("admin-service-1")) == null) {
            throw RunningRookery.nothingRuns(data);
        }
        return new OperatorClient(
                URI.create("http://127.0.0.1:" + settings.getProperty("rookery.admin.operator.port", "")),
                settings.getProperty("rookery.admin.operator.token", ""));
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
        var request = HttpRequest.newBuilder(base.resolve("/operator/v1" + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw Complaint.failure(RunningRookery.reason(answer.body()));
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw Complaint.failure("admin-service does not answer (%s): is Rookery running?".formatted(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted");
        }
    }
}
