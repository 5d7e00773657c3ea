package rookery.standalone;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceCredential;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The auth-service that runs on a data folder, asked as another service would. */
final class RunningRookery {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Properties settings;
    private final String address;
    private final int tenant;

    private RunningRookery(Properties settings, String address, int tenant) {
        this.settings = settings;
        this.address = address;
        this.tenant = tenant;
    }

    /** Complains when nothing runs there, or there is no such tenant. */
    static RunningRookery at(Path data, @Nullable String tenant) {
        var settings = properties(data.resolve("config").resolve("auth-service-1.properties"));
        var instance = properties(data.resolve("instances").resolve("auth-service-1"));
        if (settings == null || instance == null) {
            throw Complaint.failure(
                    "nothing runs on the data folder %s: start it with deploy/run, or name another one with --data"
                            .formatted(data));
        }
        return new RunningRookery(settings, instance.getProperty("address", ""), index(settings, tenant));
    }

    String serverName() {
        return settings.getProperty(key(tenant, "server-name"), "");
    }

    /** Asks {@code /internal/admin/<what>}; complains with what was wrong when it is refused. */
    JsonNode ask(String what, Map<String, ?> question) {
        var body = new HashMap<String, Object>(question);
        body.put("tenant", Integer.parseInt(settings.getProperty(key(tenant, "id"), "0")));
        var credential = new ServiceCredential(
                new InternalProperties(settings.getProperty("rookery.internal.key", "")), Clock.systemUTC());
        var request = HttpRequest.newBuilder(URI.create("http://%s/internal/admin/%s".formatted(address, what)))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header(ServiceCredential.HEADER, credential.sign())
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw Complaint.failure(reason(answer.body()));
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw Complaint.failure("auth-service does not answer (%s): is Rookery running?".formatted(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted");
        }
    }

    private static String reason(String answer) {
        var refusal = answer.startsWith("{") ? JSON.readTree(answer) : JSON.createObjectNode();
        return "%s (%s)"
                .formatted(
                        refusal.path("error").asString("this was refused"),
                        refusal.path("errcode").asString("no code"));
    }

    private static int index(Properties settings, @Nullable String wanted) {
        for (int i = 0; settings.containsKey(key(i, "id")); i++) {
            if (wanted == null || wanted.equals(settings.getProperty(key(i, "server-name")))) {
                return i;
            }
        }
        throw Complaint.failure("there is no tenant %s".formatted(wanted));
    }

    private static String key(int index, String name) {
        return "rookery.tenants[%d].%s".formatted(index, name);
    }

    private static @Nullable Properties properties(Path file) {
        String text = Folders.textOf(file);
        if (text == null) {
            return null;
        }
        var properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
