package rookery.standalone;

import java.io.IOException;
import java.util.Arrays;
import org.springframework.boot.builder.SpringApplicationBuilder;
import rookery.program.Complaint;

/**
 * The main class of one instance of a local cluster: the service's own application, which ends when its standard input does,
 * for then the launcher is gone.
 */
final class InstanceApplication {
    private InstanceApplication() {}

    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().name("launcher-watch").start(InstanceApplication::endWithTheLauncher);
        var service = Service.named(arguments[0]).orElseThrow();
        try {
            new SpringApplicationBuilder(service.application())
                    .properties("spring.config.name=" + service.title())
                    .run(Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (RuntimeException e) {
            System.out.println(Causes.rootMessage(e)); // the launcher shows the last line
            System.exit(Complaint.FAILURE);
        }
    }

    private static void endWithTheLauncher() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said to us
            }
        } catch (IOException _) {
            // the same as the end
        }
        Runtime.getRuntime().exit(0);
    }
}
