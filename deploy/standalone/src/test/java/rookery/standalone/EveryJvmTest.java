// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import rookery.embedded.EmbeddedKafka;

/** Each JVM that a script, an image or a program starts gets a language: Kafka upper-cases names in the user's language. */
class EveryJvmTest {
    private static final Path DEPLOY = Path.of("..");

    /** How a JVM is started in scripts, images and manifests, and in Java. */
    private static final Pattern START = Pattern.compile(
            "bin/java\" [-\"](?!version)|ENTRYPOINT \\[\"java\"|\\[CMD, java|^(?:exec )?java -|KAFKA_HEAP_OPTS[:,]|\\bChild\\.java\\(\\)",
            Pattern.MULTILINE);

    private static final Pattern LANGUAGE =
            Pattern.compile("-Duser\\.language=en|LANGUAGE\\b|JvmFlags\\.ofInstance|flags\\[@]");

    @Test
    void hasItsLanguage() throws IOException {
        var starting = written().stream()
                .filter(file -> START.matcher(textOf(file)).find())
                .toList();

        assertThat(starting)
                .hasSizeGreaterThan(8)
                .allSatisfy(file -> assertThat(textOf(file)).as(file.toString()).containsPattern(LANGUAGE));
        assertThat(textOf(DEPLOY.resolve("run"))).contains(EmbeddedKafka.LANGUAGE);
        assertThat(JvmFlags.ofInstance(Service.GATEWAY)).contains(EmbeddedKafka.LANGUAGE);
    }

    private static List<Path> written() throws IOException {
        try (var files = Files.walk(DEPLOY)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*/(target|node_modules|test|docs|secrets\\.d)/.*"))
                    .toList();
        }
    }

    private static String textOf(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
