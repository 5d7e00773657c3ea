// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

class ConfigurationCheckTest {
    private static final String GOOD = """
            rookery:
              redis:
                url: redis://rookery:pass-of-redis@redis:6379
              tenants:
              - {id: 1, server-name: one.example}
            spring.r2dbc.password: pass-of-the-database
            """;

    @TempDir
    Path folder;

    /** A service with all property records of the platform. */
    @SpringBootConfiguration
    @ConfigurationPropertiesScan("rookery.platform")
    static class Application {}

    private ConfigurationCheck check(String yml, String... more) throws Exception {
        return ConfigurationCheck.of(Application.class, "room-service", arguments(yml, more));
    }

    private String[] arguments(String yml, String... more) throws Exception {
        var file = Files.writeString(folder.resolve("settings.yml"), yml);
        var arguments = new ArrayList<>(List.of(more));
        arguments.add("--spring.config.location=file:" + file);
        return arguments.toArray(String[]::new);
    }

    @Test
    void whatIsGoodIsShownWithoutItsSecrets() throws Exception {
        var check = check(GOOD, Signing.keysOf(ServiceName.ROOM));

        assertThat(check.problems()).isEmpty();
        assertThat(check.settings())
                .anyMatch(line -> line.startsWith("rookery.redis.url = redis://rookery:(hidden)@redis:6379"))
                .anyMatch(line -> line.startsWith("rookery.tenants[0].server-name = one.example"))
                .anyMatch(line -> line.startsWith("rookery.internal.keys = (hidden)"))
                .anyMatch(line -> line.startsWith("spring.r2dbc.password = (hidden)"))
                .noneMatch(line -> line.contains("pass-of-"));
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() throws Exception {
        var check = check(GOOD + """
                server.port: many
                rookery.rate-limit.window: soon
                rookery.redis.timout: 1s
                """);

        assertThat(check.problems())
                .anyMatch(line -> line.contains("server.port"))
                .anyMatch(line -> line.contains("gateway>room-service"))
                .anyMatch(line -> line.contains("rookery.rate-limit.window"))
                .anyMatch(line -> line.startsWith("rookery.redis.timout is unknown")
                        && line.endsWith("did you mean rookery.redis.timeout?"));
    }

    @Test
    void keysThatAreMissingAreNamed() throws Exception {
        assertThat(check(GOOD).problems()).singleElement().asString().contains("gateway>room-service");
    }

    @Test
    void tenantsThatShareANumberOrANameAreNamed() throws Exception {
        var second =
                "\nrookery.tenants[1]: {id: %d, server-name: %s}\nrookery.tenants[0]: {id: 1, server-name: one.example}";
        var keys = Signing.keysOf(ServiceName.ROOM);

        assertThat(check(second.formatted(1, "two.example"), keys).problems())
                .containsExactly("rookery.tenants: one.example and two.example have the same id 1: give each the number"
                        + " that it has in the data");
        assertThat(check(second.formatted(2, "one.example"), keys).problems())
                .containsExactly("rookery.tenants: one.example is there twice, with the ids 1 and 2: leave the one that"
                        + " it has in the data");
    }

    @Test
    void aStartWithAnUnknownKeyIsRefused() throws Exception {
        var application =
                new SpringApplicationBuilder(ConfigurationCheck.EmptyConfiguration.class).web(WebApplicationType.NONE);
        var arguments = arguments("rookery.sync.rng.all-bytes-max: 1MB");
        assertThatThrownBy(() -> application.run(arguments))
                .hasMessageStartingWith("rookery.sync.rng.all-bytes-max is unknown")
                .hasMessageEndingWith("did you mean rookery.sync.ring.all-bytes-max?");
    }
}
