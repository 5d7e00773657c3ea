// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import rookery.admin.RunningAdmin;
import rookery.embedded.Deadline;
import rookery.model.error.ApiException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the operators' API of one instance. */
record OperatorCalls(RunningAdmin admin, String token) {
    static final String ROOT = "secret-of-operators";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Waits until the instance has read the registry; until then it answers 503. */
    OperatorCalls {
        assertThat(Deadline.in(PATIENCE).until(() -> hasRegistry(admin))).isTrue();
    }

    private static boolean hasRegistry(RunningAdmin admin) {
        try {
            return !admin.bean(TenantRegistry.class).list().tenants().isEmpty();
        } catch (ApiException _) {
            return false;
        }
    }

    /** The settings of an instance with the root operator's token. */
    static List<String> settings() {
        return List.of(
                "--rookery.admin.operator.port=0",
                "--rookery.admin.operator.token=" + ROOT,
                "--rookery.admin.registry-interval=50ms");
    }

    /** The same calls with another token. */
    OperatorCalls with(String other) {
        return new OperatorCalls(admin, other);
    }

    HttpResponse<String> call(String method, String path, String body) {
        var port = admin.bean(OperatorServer.class).port();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/operator/v1" + path))
                .header("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    JsonNode json(String method, String path, String body) {
        var answer = call(method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    /** Status and errcode. */
    String refusal(String method, String path, String body) {
        var answer = call(method, path, body);
        return answer.statusCode() + " "
                + JsonMapper.shared().readTree(answer.body()).path("errcode").asString("");
    }

    /** The records of operators, the oldest first. A record ends after the answer: waits for the ends of all. */
    List<String> records() {
        Deadline.in(PATIENCE).until(() -> stored().stream().noneMatch(line -> line.endsWith(" 0")));
        return stored();
    }

    private List<String> stored() {
        return Objects.requireNonNull(admin.database()
                .sql("SELECT tenant || ' ' || actor || ' ' || action || ' ' || target || ' ' || coalesce(status, 0)"
                        + " FROM admin.audit_record WHERE actor LIKE 'operator:%' ORDER BY at, id")
                .mapValue(String.class)
                .all()
                .collectList()
                .block());
    }
}
