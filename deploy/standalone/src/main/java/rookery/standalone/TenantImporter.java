// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Deadline;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes a tenant from the folder of an export (contract.md 21). Every step may be repeated, so a failed import goes on when the
 * command is repeated.
 *
 * @param tenant its path in the API
 */
record TenantImporter(
        OperatorClient operator, OperatorFiles files, String tenant, TenantFolder folder, boolean withSessions) {
    private static final int BATCH_CHARACTERS_MAX = 1 << 20;
    private static final int BATCH_ROWS_MAX = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final Duration PATIENCE_OF_SERVICES = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String ROOM = "room-service";
    private static final String AUTH = "auth-service";
    private static final String PUSH = "push-service";

    void run() {
        var manifest = folder.readManifest();
        verify(manifest);
        create(manifest);
        var logs = new LinkedHashMap<String, JsonNode>();
        for (var service : TenantFolder.SERVICES) {
            var base = begin(service);
            if (service.equals(ROOM)) {
                logs.put("room-log", base);
            } else if (service.equals(AUTH)) {
                logs.put("user-log", base);
            }
        }
        for (var service : List.of(AUTH, ROOM, "directory-service", "sync-service", PUSH, "admin-service")) {
            store(service, logs, false);
        }
        media();
        awaitPushService(step(ROOM, "finish", Map.of()));
        step(AUTH, "finish", Map.of());
        for (var service : List.of(AUTH, ROOM, PUSH)) {
            store(service, logs, true);
        }
        for (var service : TenantFolder.SERVICES) {
            step(service, "finish", Map.of());
        }
        operator.ask("POST", tenant + "/import/done", null);
    }

    private void verify(JsonNode manifest) {
        if (manifest.path("format").asInt() != TenantFolder.FORMAT) {
            throw Complaint.failure("the export has another format than this release reads");
        }
        for (var service : TenantFolder.SERVICES) {
            var sum = TenantFolder.checksum(folder.lines(service));
            if (!sum.sha256()
                    .equals(manifest.path("services")
                            .path(service)
                            .path("sha256")
                            .asString())) {
                throw Complaint.failure("%s is not the file that was exported".formatted(folder.lines(service)));
            }
        }
    }

    /** A repeated creation with the same key finds the tenant. */
    private void create(JsonNode manifest) {
        var body = new HashMap<String, Object>();
        body.put("server_name", manifest.path("server_name").asString());
        body.put("hosts", manifest.path("hosts"));
        body.put("settings", manifest.path("settings"));
        body.put("import", true);
        files.create(
                body,
                manifest.path("server_name").asString() + " "
                        + manifest.path("exported_at").asString());
    }

    /** A service may know the new tenant a moment later than admin-service. */
    private JsonNode begin(String service) {
        var schema = Map.of("schema", folder.header(service).path("schema").asString());
        var base = new AtomicReference<@Nullable JsonNode>();
        Deadline.in(PATIENCE_OF_SERVICES).until(PAUSE, () -> {
            try {
                base.set(step(service, "begin", schema));
            } catch (Complaint _) {
                // the last attempt below shows the reason
            }
            return base.get() != null;
        });
        var begun = base.get();
        return begun == null ? step(service, "begin", schema) : begun;
    }

    private JsonNode step(String service, String step, Map<String, ?> body) {
        return operator.ask("POST", tenant + "/import/" + service + "/" + step, body);
    }

    /** @param late whether to store only rows from which workers append to logs, which must wait for the logs */
    private void store(String service, Map<String, JsonNode> logs, boolean late) {
        var batch = new Batch(service, logs, late);
        folder.read(service, batch::add);
        batch.send();
        System.out.println("%s: %d rows%s".formatted(service, batch.rows, late ? ", second pass" : ""));
    }

    /** Rows that are sent together, numbered, so that a repeated batch is stored once. */
    private final class Batch {
        private final String service;
        private final Map<String, JsonNode> logs;
        private final boolean late;
        private ArrayNode lines = JsonNodeFactory.instance.arrayNode();
        private long characters;
        private long number;
        private long rows;

        Batch(String service, Map<String, JsonNode> logs, boolean late) {
            this.service = service;
            this.logs = logs;
            this.late = late;
        }

        void add(String line) {
            if (!line.startsWith("{\"table\":")) {
                return;
            }
            if (characters + line.length() > BATCH_CHARACTERS_MAX || lines.size() == BATCH_ROWS_MAX) {
                send();
            }
            lines.add(TenantFolder.JSON.readTree(line));
            characters += line.length();
            rows++;
        }

        void send() {
            if (!lines.isEmpty()) {
                step(
                        service,
                        "rows",
                        Map.of(
                                "number", number,
                                "sessions", withSessions,
                                "late", late,
                                "logs", logs,
                                "lines", lines));
                number++;
                lines = JsonNodeFactory.instance.arrayNode();
                characters = 0;
            }
        }
    }

    private void media() {
        int count = 0;
        for (var content : folder.contents()) {
            var file = folder.media(content.sha256());
            if (Files.exists(file)) {
                files.put("%s/media/%s".formatted(tenant, content.sha256()), file);
                count++;
            }
        }
        System.out.println("media: %d files".formatted(count));
    }

    /** Pushers are turned on when push-service has followed the old events, of which nobody wants a push. */
    private void awaitPushService(JsonNode ends) {
        boolean isDone = Deadline.in(PATIENCE)
                .until(
                        PAUSE,
                        () -> step(PUSH, "followed", Map.of("log", "room-log", "ends", ends))
                                .path("done")
                                .asBoolean());
        if (!isDone) {
            throw Complaint.failure(
                    "push-service has not followed the room log yet: look at its log, and repeat the command");
        }
        System.out.println("push-service has followed the room log");
    }
}
