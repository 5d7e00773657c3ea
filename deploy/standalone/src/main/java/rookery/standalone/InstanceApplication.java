// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.Arrays;
import org.springframework.boot.builder.SpringApplicationBuilder;
import rookery.embedded.Child;
import rookery.program.Complaint;

/**
 * The main class of an instance of a local cluster: runs the service's application, and ends when standard input ends, because
 * then the launcher is dead.
 */
final class InstanceApplication {
    private InstanceApplication() {}

    public static void main(String[] arguments) {
        Child.endWithParent();
        var service = Service.named(arguments[0]).orElseThrow();
        var timeline = Timeline.ofThisProcess();
        var steps = Timeline.steps();
        try {
            new SpringApplicationBuilder(service.application())
                    .properties("spring.config.name=" + service.title())
                    .applicationStartup(steps)
                    .run(Arrays.copyOfRange(arguments, 1, arguments.length));
            timeline.add(service.title(), steps);
            timeline.log();
        } catch (RuntimeException e) {
            System.out.println(Causes.rootMessage(e)); // the launcher prints the last line
            System.exit(Complaint.FAILURE);
        }
    }
}
