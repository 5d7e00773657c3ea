// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import java.util.Arrays;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The entry point of every service. */
public final class ServiceStart {
    private static final String CHECK = "--check";

    private ServiceStart() {}

    /**
     * Runs a service. With {@code --check} only checks the configuration, prints its problems and exits with 0 or 1.
     *
     * @param name the configuration's name, such as {@code room-service}
     */
    public static void run(Class<?> application, String name, String... arguments) {
        if (isCheck(arguments)) {
            System.exit(check(application, name, arguments) ? 0 : 1);
        }
        new SpringApplicationBuilder(application)
                .properties("spring.config.name=" + name)
                .run(arguments);
    }

    public static boolean isCheck(String... arguments) {
        return List.of(arguments).contains(CHECK);
    }

    /** Prints the configuration and its problems; returns whether there are none. */
    public static boolean check(Class<?> application, String name, String... arguments) {
        var others = Arrays.stream(arguments)
                .filter(argument -> !argument.equals(CHECK))
                .toArray(String[]::new);
        var check = ConfigurationCheck.of(application, name, others);
        check.settings().forEach(System.out::println);
        check.problems().forEach(problem -> System.out.println("PROBLEM: " + problem));
        int count = check.problems().size();
        System.out.println(
                count == 0
                        ? "the configuration of " + name + " is good"
                        : count + " problems: " + name + " would not start");
        return count == 0;
    }
}
