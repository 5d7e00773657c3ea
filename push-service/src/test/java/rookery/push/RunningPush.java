package rookery.push;

import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.Database;

/** The real service on a port of its own, over a database of the test's. */
public final class RunningPush {
    private RunningPush() {}

    /** Starts an instance; {@code more} are settings such as {@code --rookery.x=y}, and win over the ones here. */
    public static ConfigurableApplicationContext start(Database database, String... more) {
        return new SpringApplicationBuilder(PushApplication.class)
                .properties("spring.config.name=push-service")
                .run(Stream.concat(settings(database), Stream.of(more)).toArray(String[]::new));
    }

    private static Stream<String> settings(Database database) {
        return Stream.of(
                "--server.port=0",
                "--management.server.port=0",
                "--spring.r2dbc.url=" + database.r2dbcUrl(),
                "--spring.r2dbc.username=" + database.username(),
                "--spring.r2dbc.password=" + database.password(),
                "--rookery.internal.key=a secret that is long enough for tests",
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=one.example",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=two.example");
    }
}
