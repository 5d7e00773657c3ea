// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Heap, direct memory, code, classes and the rest of each process fit its container, by the flags and limits as they are written.
 */
class MemoryTest {
    private static final Path DEPLOY = Path.of("..");
    private static final Path COMPOSE = DEPLOY.resolve("compose");
    private static final long MIB = 1024 * 1024;

    /** Stacks, symbols, the compiler's and malloc's own, and the JVM of a health check: what no flag bounds. */
    private static final long OTHER_MIB = 96;

    /** What thumbnails take beside the heap, in room-service. */
    private static final long PICTURES_MIB = 128;

    private static final Pattern QUANTITY = Pattern.compile("(\\d+)([kKmMgG]?)i?");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway",
                "auth-service",
                "room-service",
                "sync-service",
                "directory-service",
                "push-service",
                "admin-service",
                "prepare"
            })
    void whatAProcessMayTakeFitsItsContainer(String service) throws IOException {
        var flags = flags(service);
        long pictures = service.equals("room-service") ? PICTURES_MIB : 0;
        for (long limit : List.of(inCompose(service), inChart(service))) {
            assertThat(Memory.of(flags, limit).sum() + OTHER_MIB + pictures)
                    .as("%s in %d MiB", service, limit)
                    .isLessThanOrEqualTo(limit);
        }
    }

    @Test
    void theTableSaysWhatTheFlagsSay() throws IOException {
        var table = Files.readString(DEPLOY.resolve("docs/operating.md"));
        for (String service : List.of("gateway", "room-service", "auth-service", "prepare")) {
            for (long limit : List.of(inCompose(service), inChart(service))) {
                var memory = Memory.of(flags(service), limit);
                assertThat(table)
                        .as(service)
                        .containsPattern("\\| [^|]*`%s`[^|]* \\| %d \\| %d \\| %d \\| %d \\| %d \\|"
                                .formatted(
                                        service,
                                        limit,
                                        memory.heap(),
                                        memory.direct(),
                                        memory.classes(),
                                        memory.code()));
            }
        }
    }

    @Test
    void nettyRefusesBeforeTheJvmWouldCollectGarbage() throws IOException {
        for (String service : List.of("gateway", "auth-service", "prepare")) {
            var flags = flags(service);
            assertThat(number(flags, "-Dio.netty.maxDirectMemory=(\\S+)"))
                    .isEqualTo(number(flags, "-XX:MaxDirectMemorySize=(\\S+)") / 8 * 7);
        }
    }

    @Test
    void withTracesTheHeapGivesWayToClasses() throws IOException {
        var traces = Files.readString(COMPOSE.resolve("traces.options"));
        for (String service : List.of("gateway", "auth-service")) {
            long limit = inCompose(service);
            assertThat(Memory.of(flags(service) + "\n" + traces, limit).sum() + OTHER_MIB)
                    .isLessThanOrEqualTo(limit);
        }
        var pods = Files.readString(RenderedChart.FOLDER.resolve("templates/_pods.tpl"));
        assertThat(traces.lines().filter(line -> line.startsWith("-")))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(pods).contains(flag));
    }

    @Test
    void theImageTakesItsFlagsFromTheFile() throws IOException {
        assertThat(Files.readString(COMPOSE.resolve("Dockerfile")))
                .contains("\"@/rookery/memory.options\"")
                .doesNotContain("MaxRAMPercentage");
        assertThat(Files.readString(COMPOSE.resolve("build"))).contains("memory/$service.options");
    }

    /** In MiB. */
    private record Memory(long heap, long direct, long classes, long code) {
        static Memory of(String flags, long limit) {
            return new Memory(
                    limit * number(flags, "-XX:MaxRAMPercentage=(\\S+)") / 100,
                    number(flags, "-XX:MaxDirectMemorySize=(\\S+)") / MIB,
                    number(flags, "-XX:MaxMetaspaceSize=(\\S+)") / MIB,
                    number(flags, "-XX:ReservedCodeCacheSize=(\\S+)") / MIB);
        }

        long sum() {
            return heap + direct + classes + code;
        }
    }

    private static String flags(String service) throws IOException {
        var own = COMPOSE.resolve("memory/" + service + ".options");
        return Files.readString(Files.exists(own) ? own : COMPOSE.resolve("memory/service.options"));
    }

    /** The last of several values counts, as in the JVM. */
    private static long number(String flags, String pattern) {
        return Pattern.compile("(?m)^" + pattern)
                .matcher(flags)
                .results()
                .map(found -> bytes(found.group(1)))
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError("no " + pattern));
    }

    private static long inCompose(String service) throws IOException {
        var services = Manifest.map(yaml(COMPOSE.resolve("compose.yaml")), "services");
        var text = memory(Manifest.map(Manifest.map(services, service), "deploy"));
        return bytes(text.replaceAll("\\$\\{\\w+:-(.*)}", "$1")) / MIB;
    }

    private static long inChart(String service) throws IOException {
        var values = yaml(RenderedChart.FOLDER.resolve("values.yaml"));
        var parts = service.equals("prepare") ? values : Manifest.map(values, "services");
        return bytes(memory(Manifest.map(parts, service))) / MIB;
    }

    private static String memory(Map<String, Object> from) {
        return Manifest.text(Manifest.map(Manifest.map(from, "resources"), "limits"), "memory");
    }

    private static Map<String, Object> yaml(Path file) throws IOException {
        return Manifest.cast(new Yaml().load(Files.readString(file)));
    }

    private static long bytes(@Nullable String text) {
        var quantity = QUANTITY.matcher(Objects.requireNonNull(text));
        assertThat(quantity.matches()).as(text).isTrue();
        long unit = switch (quantity.group(2)) {
            case "k", "K" -> 1024;
            case "m", "M" -> MIB;
            case "g", "G" -> 1024 * MIB;
            default -> 1;
        };
        return Long.parseLong(quantity.group(1)) * unit;
    }
}
