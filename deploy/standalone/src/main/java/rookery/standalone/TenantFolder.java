// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The folder of an exported tenant (contract.md 21): {@code SERVICE.ndjson.gz}, {@code media/ab/SHA256} and the manifest. */
record TenantFolder(Path folder) {
    static final JsonMapper JSON = JsonMapper.shared();
    static final int FORMAT = 1;

    /** In the order of the export: a later service knows all that an earlier one names. */
    static final List<String> SERVICES = List.of(
            "room-service", "auth-service", "directory-service", "sync-service", "push-service", "admin-service");

    private static final int PREFIX_CHARS = 2;
    private static final int BUFFER_BYTES = 1 << 16;

    /** A content that rows of {@code media} name. */
    record MediaContent(String sha256, long size) {}

    /** SHA-256 of a file in hexadecimal digits, and its size. */
    record Checksum(String sha256, long bytes) {}

    interface LineReader {
        void take(String line) throws IOException;
    }

    Path lines(String service) {
        return folder.resolve(service + ".ndjson.gz");
    }

    Path media(String sha256) {
        return folder.resolve("media")
                .resolve(sha256.substring(0, PREFIX_CHARS))
                .resolve(sha256);
    }

    Path manifest() {
        return folder.resolve("manifest.json");
    }

    /** The first line of a service. */
    JsonNode header(String service) {
        try (var lines = open(service)) {
            return JSON.readTree(lines.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BufferedReader open(String service) throws IOException {
        return new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(lines(service)), BUFFER_BYTES), StandardCharsets.UTF_8));
    }

    /** Reads all lines of a service, the first and the last one included. */
    void read(String service, LineReader reader) {
        try (var lines = open(service)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.take(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The contents, each once. */
    List<MediaContent> contents() {
        var sizes = new TreeMap<String, Long>();
        read("room-service", line -> {
            if (line.startsWith("{\"table\":\"media\",")) {
                var row = JSON.readTree(line).path("row");
                if (row.path("sha256").isString()) {
                    sizes.put(
                            row.path("sha256").asString().substring(PREFIX_CHARS), // PostgreSQL writes \x first
                            row.path("size").asLong());
                }
            }
        });
        return sizes.entrySet().stream()
                .map(entry -> new MediaContent(entry.getKey(), entry.getValue()))
                .toList();
    }

    JsonNode readManifest() {
        try {
            return JSON.readTree(Files.readString(manifest()));
        } catch (IOException e) {
            throw Complaint.failure("%s is not the folder of a finished export: %s".formatted(folder, e.getMessage()));
        }
    }

    static Checksum checksum(Path file) {
        try (var in = new DigestInputStream(Files.newInputStream(file), sha256())) {
            in.transferTo(OutputStream.nullOutputStream());
            return new Checksum(HexFormat.of().formatHex(in.getMessageDigest().digest()), Files.size(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Copies and returns the SHA-256 of the bytes. */
    static String copy(InputStream from, Path to) throws IOException {
        try (var in = new DigestInputStream(from, sha256())) {
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }
}
