// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.builder.SpringApplicationBuilder;
import rookery.admin.AdminApplication;
import rookery.embedded.Database;
import rookery.embedded.Spawner;
import rookery.embedded.TestServers;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** A service starts only with the tenants of its data. Tested with admin-service; all services have the same check. */
@ResourceLock("passwords of the roles, which all databases of a server share")
class TenantStartIT {
    private static final String ONE = "{id: 1, server-name: one.test, hosts: [one.test]}";
    private static final String A = "{id: 2, server-name: a.test, hosts: [a.test]}";
    private static final String B = "{id: 3, server-name: b.test, hosts: [b.test]}";

    private final Database database = TestServers.superuserOf(TestServers.database("admin-service"));

    @TempDir
    private Path folder = Path.of("");

    /** As the chart writes it beside the jar. */
    private void start(String... tenants) throws IOException {
        var file = Files.createTempFile(folder, "admin-service", ".yml");
        Files.writeString(file, "rookery: {tenants: [%s]}".formatted(String.join(", ", tenants)));
        var arguments = new ArrayList<>(arguments());
        arguments.add("--spring.config.additional-location=file:" + file);
        new SpringApplicationBuilder(AdminApplication.class)
                .properties("spring.config.name=admin-service")
                .run(arguments.toArray(String[]::new))
                .close();
    }

    private List<String> arguments() {
        var arguments = new ArrayList<>(database.springArguments());
        arguments.addAll(List.of("--server.port=0", "--management.server.port=0", Signing.keysOf(ServiceName.ADMIN)));
        return arguments;
    }

    private List<String> names() {
        return database.texts("SELECT tenant || ' ' || server_name FROM admin.tenant_name ORDER BY tenant");
    }

    private void assertRefused(String sentence, String... tenants) {
        assertThatThrownBy(() -> start(tenants)).rootCause().hasMessage("rookery.tenants: " + sentence);
    }

    @Test
    void whatTheChartSaysIsComparedWithTheData() throws IOException {
        start(ONE, A, B);
        assertThat(names()).containsExactly("1 one.test", "2 a.test", "3 b.test");

        assertRefused(
                "b.test has the number 3 in the data of admin-service, and not 2: set its id to 3",
                ONE,
                "{id: 2, server-name: b.test}");
        assertRefused(
                "a.test has the number 2 in the data of admin-service, and not 3: set its id to 2",
                "{id: 3, server-name: a.test}",
                "{id: 2, server-name: b.test}",
                "{id: 9, server-name: new.test}");
        assertRefused(
                "the number 2 is that of a.test in the data of admin-service: set the id of c.test, which is new there, to 4",
                ONE,
                "{id: 2, server-name: c.test}");
        assertThat(names()).as("what was refused").hasSize(3);

        start(B, "{id: 4, server-name: c.test}", ONE);
        assertThat(names()).containsExactly("1 one.test", "2 a.test", "3 b.test", "4 c.test");
    }

    @Test
    void ofTwoConfigurationsAtOnceOneIsRefused() throws Exception {
        Callable<String> one = () -> started(ONE, A, B);
        Callable<String> other = () -> started(ONE, "{id: 3, server-name: a.test}", "{id: 2, server-name: b.test}");
        var answers = new ArrayList<String>();
        try (var threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<String> each : threads.invokeAll(List.of(one, other))) {
                answers.add(each.get());
            }
        }
        assertThat(answers).contains("started").anyMatch(answer -> answer.startsWith("rookery.tenants: "));
        assertThat(names()).hasSize(3);
    }

    private String started(String... tenants) throws IOException {
        try {
            start(tenants);
            return "started";
        } catch (RuntimeException e) {
            return Causes.rootMessage(e);
        }
    }

    /** The tenants come from environment variables as in compose.yaml, and the error is a sentence. */
    @Test
    void whatTheEnvironmentSaysIsComparedAndTheAnswerIsASentence() throws Exception {
        database.execute("INSERT INTO admin.tenant_name VALUES (1, 'one.test')");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AdminApplication.class.getName()));
        command.addAll(arguments());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ROOKERY_TENANTS_0_ID", "1");
        builder.environment().put("ROOKERY_TENANTS_0_SERVERNAME", "chat.example");
        builder.environment().put("ROOKERY_TENANTS_0_HOSTS_0", "chat.example");

        var process = Spawner.startEndingWithUs(builder);
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(printed)
                .contains(
                        "rookery.tenants: the number 1 is that of one.test in the data of admin-service: set the id of"
                                + " chat.example, which is new there, to 2")
                .doesNotContain("\tat ");
    }
}
