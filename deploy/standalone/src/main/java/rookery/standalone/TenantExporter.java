// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import rookery.program.Complaint;

/**
 * Writes a tenant that is in use into a folder. Finished files stay when the command is repeated, so an export goes on after a
 * failure.
 *
 * @param tenant its path in the API
 */
record TenantExporter(OperatorClient operator, OperatorFiles files, String tenant, TenantFolder folder) {
    private static final int PROGRESS = 1_000;

    void run() {
        try {
            Files.createDirectories(folder.folder());
            var known = operator.ask("GET", tenant, null);
            var services = new LinkedHashMap<String, Object>();
            for (var service : TenantFolder.SERVICES) {
                if (!Files.exists(folder.lines(service))) {
                    download(service);
                }
                services.put(service, TenantFolder.checksum(folder.lines(service)));
            }
            var manifest = new LinkedHashMap<String, Object>();
            manifest.put("format", TenantFolder.FORMAT);
            manifest.put("server_name", known.path("server_name"));
            manifest.put(
                    "exported_at",
                    Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS).toString());
            manifest.put("hosts", known.path("hosts"));
            manifest.put("settings", known.path("settings"));
            manifest.put("services", services);
            manifest.put("media", media());
            Files.writeString(
                    folder.manifest(),
                    TenantFolder.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(manifest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void download(String service) throws IOException {
        var part = folder.folder().resolve(service + ".part");
        long rows = 0;
        String last = "";
        var body = Objects.requireNonNull(files.read(tenant + "/export/" + service), service);
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                var out = new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(part)), StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                out.write(line);
                out.write('\n');
                last = line;
                rows++;
            }
        }
        if (!last.equals("{\"rows\":%d}".formatted(rows - 2))) { // without the first line and this one
            throw Complaint.failure("the export of %s was cut off: repeat the command".formatted(service));
        }
        Files.move(part, folder.lines(service), StandardCopyOption.ATOMIC_MOVE);
        System.out.println("%s: %d rows".formatted(service, rows - 2));
    }

    private Map<String, Object> media() throws IOException {
        long bytes = 0;
        int count = 0;
        int missing = 0;
        for (var content : folder.contents()) {
            var file = folder.media(content.sha256());
            if (!Files.exists(file) && !download(content, file)) {
                missing++;
                continue;
            }
            bytes += content.size();
            count++;
            if (count % PROGRESS == 0) {
                System.out.println("media: %d files".formatted(count));
            }
        }
        System.out.println("media: %d files, %d bytes, %d deleted meanwhile".formatted(count, bytes, missing));
        return Map.of("files", count, "bytes", bytes, "missing", missing);
    }

    /** False for a file that was deleted after its row was exported. */
    private boolean download(TenantFolder.MediaContent content, Path file) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        var part = file.resolveSibling(file.getFileName() + ".part");
        var body = files.read("%s/media/%s?size=%d".formatted(tenant, content.sha256(), content.size()));
        if (body == null) {
            return false;
        }
        if (!TenantFolder.copy(body, part).equals(content.sha256())) {
            throw Complaint.failure("the file %s was cut off: repeat the command".formatted(content.sha256()));
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }
}
