// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZipStreamTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ZipStream zip = new ZipStream(Instant.parse("2026-01-02T03:04:06Z"));

    private Path file() throws IOException {
        return Files.write(folder.resolve("x.zip"), bytes.toByteArray());
    }

    @Test
    void aPulseIsSentAtOnceAndReadAsAnEmptyLine() throws IOException {
        bytes.writeBytes(zip.begin("a b/☕.ndjson"));
        bytes.writeBytes(zip.write("{}\n".getBytes(UTF_8)));
        for (int i = 0; i < 3; i++) {
            var pulse = zip.pulse();
            assertThat(pulse).isNotEmpty();
            bytes.writeBytes(pulse);
        }
        bytes.writeBytes(zip.write("[]\n".getBytes(UTF_8)));
        bytes.writeBytes(zip.finish());
        bytes.writeBytes(zip.end());

        try (var read = new ZipFile(file().toFile())) {
            var entry = read.getEntry("a b/☕.ndjson");
            assertThat(new String(read.getInputStream(entry).readAllBytes(), UTF_8))
                    .isEqualTo("{}\n\n\n\n[]\n");
        }
    }

    @Test
    void withoutItsEndAZipIsNoZip() throws IOException {
        bytes.writeBytes(zip.begin("a"));
        bytes.writeBytes(zip.write(new byte[100]));
        bytes.writeBytes(zip.finish());
        var file = file().toFile();

        assertThatThrownBy(() -> new ZipFile(file).close()).isInstanceOf(IOException.class);
    }
}
