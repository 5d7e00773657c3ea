// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** No password, token or client secret is in any log line, topic, error or page of metrics. */
@OnCluster
class SecretsE2E {
    private static final int SERVICES = 7;

    private final Rookery rookery;
    private final List<String> secrets = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();

    SecretsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void secretsAreInNoLogNoTopicAndNoMetric() throws IOException {
        String user;
        try (var http = rookery.http()) {
            user = live(http);
        }
        var folders = List.of(
                rookery.plan().data().resolve("logs"), rookery.plan().data().resolve("kafka"));
        assertThat(Deadline.in(Duration.ofSeconds(30))
                        .until(
                                Duration.ofMillis(200),
                                () -> !holding(user, folders).isEmpty()))
                .as("what is no secret is found in the topics: this looks in the right place")
                .isTrue();
        var metrics = metrics();
        for (String secret : secrets) {
            assertThat(metrics).as(secret).noneMatch(page -> page.contains(secret));
            assertThat(holding(secret, folders)).as(secret).isEmpty();
            assertThat(answers).as("errors that repeat %s", secret).noneMatch(text -> text.contains(secret));
        }
    }

    /** The metrics pages of all instances. */
    private List<String> metrics() throws IOException {
        var pages = new ArrayList<String>();
        for (var instance : rookery.instances()) {
            if (instance.management() != null) {
                pages.add(Nodes.metrics(instance));
            }
        }
        assertThat(pages)
                .hasSizeGreaterThanOrEqualTo(SERVICES)
                .allMatch(page -> page.contains("jvm_memory_used_bytes"));
        return pages;
    }

    /** Does everything that has to do with secrets, right and wrong; returns the user's id. */
    private String live(Http http) throws IOException {
        var name = People.name("canary");
        var password = canary("password");
        var registration = Map.of(
                "username", name, "password", password, "refresh_token", true, "auth", Map.of("type", "m.login.dummy"));
        var first = tokens(http.call("POST", "/v3/register", null, registration).ok());
        String user = first.path("user_id").asString();
        refuse(
                http,
                "/v3/login",
                Map.of(
                        "type",
                        "m.login.password",
                        "identifier",
                        Map.of("type", "m.id.user", "user", user),
                        "password",
                        canary("wrong")));
        refuse(http, "/v3/login", Map.of("type", "m.login.token", "token", canary("login-token")));
        refuse(http, "/v3/refresh", Map.of("refresh_token", canary("refresh-token")));
        refuse(http, "/v3/register", Map.of("username", user, "password", canary("weak"), "auth", 5));
        answers.add(http.call("GET", "/v3/sync", canary("access-token"), null).text());
        answers.add(http.call("GET", "/v3/sync?access_token=" + canary("in-query"), null, null)
                .text());

        var second = tokens(http.call(
                        "POST",
                        "/v3/refresh",
                        null,
                        Map.of("refresh_token", first.path("refresh_token").asString()))
                .ok());
        String token = second.path("access_token").asString();
        var change = Map.of("new_password", canary("next"));
        var challenge = http.call("POST", "/v3/account/password", token, change);
        secrets.add(challenge.json().path("session").asString());
        http.call("POST", "/v3/account/password", token, Steps.answering(challenge.json(), user, change, password))
                .ok();
        http.call(
                        "POST",
                        "/v3/account/3pid/email/requestToken",
                        token,
                        Map.of("email", name + "@example.org", "client_secret", canary("client"), "send_attempt", 1))
                .ok();
        http.call("PUT", "/v3/profile/" + user + "/displayname", token, Map.of("displayname", "Canary"))
                .ok();
        http.call("POST", "/v3/logout", token, Map.of()).ok();
        return user;
    }

    private void refuse(Http http, String path, Map<String, ?> body) throws IOException {
        var answer = http.call("POST", path, null, body);
        assertThat(answer.status()).isGreaterThanOrEqualTo(400);
        answers.add(answer.text());
    }

    private JsonNode tokens(JsonNode session) {
        secrets.add(session.path("access_token").asString());
        secrets.add(session.path("refresh_token").asString());
        return session;
    }

    private String canary(String what) {
        var secret = "canary-" + what + "-3f9a61c27d";
        secrets.add(secret);
        return secret;
    }

    private static List<Path> holding(String text, List<Path> folders) {
        var found = new ArrayList<Path>();
        var search = new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                } catch (NoSuchFileException e) {
                    return visitFileFailed(file, e);
                }
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult
                            .CONTINUE; // Kafka renames and deletes files while they are looked for and read
                }
                throw failure;
            }
        };
        try {
            for (var folder : folders) {
                Files.walkFileTree(folder, search);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
