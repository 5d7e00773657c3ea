// SPDX-License-Identifier: Apache-2.0
package rookery.push;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.Database;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** The real service on a port of its own, over a database of the test. */
public final class RunningPush {
    private RunningPush() {}

    /** Starts an instance; {@code more} are settings such as {@code --rookery.x=y}. */
    public static ConfigurableApplicationContext start(Database database, String... more) {
        return new SpringApplicationBuilder(PushApplication.class)
                .properties("spring.config.name=push-service")
                .run(settings(database, List.of(more)));
    }

    /** The default settings with these overrides; the last value of a key wins, where Spring would join the values. */
    static String[] settings(Database database, List<String> more) {
        var all = new LinkedHashMap<String, String>();
        Stream.of(database.springArguments().stream(), usual(), more.stream())
                .flatMap(settings -> settings)
                .forEach(setting -> all.put(setting.substring(0, setting.indexOf('=')), setting));
        return all.values().toArray(String[]::new);
    }

    private static Stream<String> usual() {
        return Stream.of(
                "--server.port=0",
                "--management.server.port=0",
                Signing.keysOf(ServiceName.PUSH),
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=one.example",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=two.example");
    }
}
