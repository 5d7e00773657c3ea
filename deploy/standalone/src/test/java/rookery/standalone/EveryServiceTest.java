// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A service has to be named in many places, and many of them are silent when one is forgotten: deploy/docs/adding.md lists them.
 */
class EveryServiceTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final String COMPOSE = "deploy/compose/compose.yaml";
    private static final String SECRETS = "deploy/compose/secrets";
    private static final String EMBEDDED = "deploy/embedded/src/main/java/rookery/embedded/";
    private static final String GATEWAY = "gateway/src/main/java/rookery/gateway/";

    /** A file and a pattern that it must contain. */
    private record Place(String file, String pattern) {
        boolean isForgotten() {
            return !Pattern.compile(pattern, Pattern.MULTILINE)
                    .matcher(textOf(ROOT.resolve(file)))
                    .find();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNamedInEveryPlace(Service service) {
        var places = new ArrayList<>(ofAll(service.title()));
        if (service != Service.GATEWAY) {
            places.addAll(behindTheGateway(service.title()));
        }
        if (service.hasDatabase()) {
            places.addAll(withDatabase(service.title(), service.shortTitle()));
        }
        if (service.usesKafka()) {
            places.addAll(withKafka(service.title()));
        }
        assertThat(places)
                .filteredOn(Place::isForgotten)
                .as("places that do not name %s", service.title())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whoHasMigrationsHasThemApplied(Service service) {
        var migrations = ROOT.resolve(service.title() + "/src/main/resources/db/migration/" + service.title());

        assertThat(service.hasDatabase())
                .as("%s is among Migrations.SERVICES", service.title())
                .isEqualTo(Files.isDirectory(migrations));
    }

    /** Or a start with other tenants than those of its data would not be noticed there. */
    @ParameterizedTest
    @EnumSource
    void whoHasASchemaKnowsWhoseItsDataAre(Service service) throws IOException {
        if (service.hasDatabase()) {
            var migrations = ROOT.resolve(service.title() + "/src/main/resources/db/migration/" + service.title());
            try (var files = Files.list(migrations)) {
                assertThat(files.map(EveryServiceTest::textOf))
                        .as("a migration of %s makes tenant_name", service.title())
                        .anyMatch(
                                text -> text.contains("CREATE TABLE %s.tenant_name (".formatted(service.shortTitle())));
            }
            assertThat(service.application()
                            .getAnnotation(SpringBootApplication.class)
                            .scanBasePackages())
                    .as("%s compares them at its start", service.title())
                    .containsAnyOf("rookery.platform", "rookery.platform.tenant");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoHasABrokerUsesKafka(Service service) {
        var settings = textOf(ROOT.resolve(settingsOf(service.title())));

        assertThat(service.usesKafka())
                .as("Service.usesKafka of %s", service.title())
                .isEqualTo(settings.contains("bootstrap-servers:"));
    }

    private static List<Place> ofAll(String title) {
        return List.of(
                new Place("pom.xml", "<module>%s</module>".formatted(title)),
                new Place("pom.xml", "<artifactId>%s</artifactId>".formatted(title)),
                new Place("deploy/standalone/pom.xml", "<artifactId>%s</artifactId>".formatted(title)),
                new Place(settingsOf(title), "^ +name: %s$".formatted(title)),
                new Place("deploy/run", "for module in [a-z -]*\\b%s ".formatted(title)),
                new Place("deploy/compose/build", "^services=\".*\\b%s\\b".formatted(title)),
                new Place("deploy/compose/drill", "^services=\".*\\b%s\\b".formatted(title)),
                new Place(COMPOSE, "^  %s:$".formatted(title)),
                new Place(COMPOSE, "image: rookery/%s:".formatted(title)),
                new Place(COMPOSE, "ROOKERY_INSTANCES_NAMES_%s: \"%s:".formatted(upper(title), title)),
                new Place("README.md", "^\\| `%s` \\|".formatted(title)));
    }

    private static List<Place> behindTheGateway(String title) {
        return List.of(
                new Place(GATEWAY + "routing/PathTable.java", "= \"%s\";".formatted(title)),
                new Place(GATEWAY + "health/Readiness.java", "List.of\\(.*\"%s\"".formatted(title)));
    }

    private static List<Place> withDatabase(String title, String role) {
        return List.of(
                new Place("deploy/prepare/pom.xml", "<artifactId>%s</artifactId>".formatted(title)),
                new Place(settingsOf(title), "\\$\\{%s_DATABASE_URL:".formatted(upper(role))),
                new Place(SECRETS, "^databases=\".*\\b%s\\b".formatted(role)),
                new Place(COMPOSE, "%s_DATABASE_URL: [*&]database\\b".formatted(upper(role))),
                new Place(COMPOSE, "source: database-%s, target: spring.r2dbc.password".formatted(role)),
                new Place(COMPOSE, "source: database-%s, target: rookery.prepare.passwords.%s}".formatted(role, title)),
                new Place(COMPOSE, "^  database-%1$s: \\{file: secrets.d/database-%1$s}".formatted(role)),
                new Place("deploy/e2e/src/test/java/rookery/e2e/Traces.java", "\"%s\"".formatted(title)));
    }

    private static List<Place> withKafka(String title) {
        return List.of(
                new Place(EMBEDDED + "KafkaUsers.java", "READERS =\\s+List.of\\([^)]*\"%s\"".formatted(title)),
                new Place(SECRETS, "^kafka_users=\".*\\b%s\\b".formatted(title)),
                new Place(COMPOSE, "source: kafka-jaas-%s, target".formatted(title)),
                new Place(COMPOSE, "^  kafka-jaas-%1$s: \\{file: secrets.d/kafka-jaas-%1$s}".formatted(title)));
    }

    private static String settingsOf(String title) {
        return "%1$s/src/main/resources/%1$s.yml".formatted(title);
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
