// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Checks the compose file as text, and runs the script that makes its secrets. */
class ComposeFileTest {
    private static final Path FOLDER = Path.of("..", "compose");

    private final Map<String, Object> file;

    ComposeFileTest() throws IOException {
        file = Manifest.cast(new Yaml().load(Files.readString(FOLDER.resolve("compose.yaml"))));
    }

    @Test
    void everyImageHasATag() {
        Manifest.map(file, "services").forEach((name, service) -> {
            Map<String, Object> content = Manifest.cast(service);
            var image = content.getOrDefault("image", "built:here").toString().replaceAll("\\$\\{\\w+:-(.*?)}", "$1");
            assertThat(image.substring(image.lastIndexOf('/') + 1)).as(name).matches("[^:]+:(?!latest).+");
        });
    }

    @Test
    void kafkaIsOfTheVersionOfItsClients() throws IOException {
        Map<String, Object> values =
                Manifest.cast(new Yaml().load(Files.readString(RenderedChart.FOLDER.resolve("values.yaml"))));
        var inChart = Manifest.text(Manifest.map(Manifest.map(values, "builtin"), "kafka"), "image");

        assertThat(inChart).isEqualTo("apache/kafka:" + AppInfoParser.getVersion());
        assertThat(Manifest.text(Manifest.map(Manifest.map(file, "services"), "kafka"), "image"))
                .contains(inChart);
    }

    @Test
    void everySecretIsMadeByTheScript(@TempDir Path folder) throws Exception {
        var script = Files.copy(FOLDER.resolve("secrets"), folder.resolve("secrets"));
        var process = new ProcessBuilder("bash", script.toString())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();

        var declared = new TreeSet<String>();
        Manifest.map(file, "secrets").values().forEach(secret -> {
            Map<String, Object> content = Manifest.cast(secret);
            declared.add(Manifest.text(content, "file"));
        });
        assertThat(declared)
                .isNotEmpty()
                .allSatisfy(path -> assertThat(folder.resolve(path)).isNotEmptyFile());
        assertThat(Manifest.map(file, "secrets").keySet()).containsAll(usedSecrets());
    }

    @Test
    void proxyListensOnBothVersionsOfIp() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("haproxy.cfg")).lines().map(String::strip))
                .contains("bind :8080", "bind :::8080 v6only");
        assertThat(Manifest.map(Manifest.map(Manifest.map(file, "services"), "proxy"), "environment"))
                .containsKey("HAPROXY_IPV6");
    }

    private Set<String> usedSecrets() {
        var used = new TreeSet<String>();
        for (var service : Manifest.map(file, "services").values()) {
            Map<String, Object> content = Manifest.cast(service);
            List<Object> secrets = Manifest.cast(content.getOrDefault("secrets", List.of()));
            for (var secret : secrets) {
                used.add(secret instanceof Map<?, ?> map ? String.valueOf(map.get("source")) : secret.toString());
            }
        }
        return used;
    }
}
