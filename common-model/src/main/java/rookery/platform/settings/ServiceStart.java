package rookery.platform.settings;

import java.util.Arrays;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** How every service begins. */
public final class ServiceStart {
    private static final String CHECK = "--check";

    private ServiceStart() {}

    /**
     * Runs a service; with {@code --check} only looks at its configuration, says what is wrong with it and ends with 0 or 1.
     *
     * @param name of its configuration, such as {@code room-service}
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

    /** Prints the configuration and what is wrong with it; whether nothing is. */
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
