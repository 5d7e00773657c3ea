package rookery.e2e.restore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What {@code deploy/e2e/restore} runs: exits with 0 when everything is as promised. */
public final class DrillApplication {
    private DrillApplication() {}

    public static void main(String[] arguments) throws IOException {
        long begunNanos = System.nanoTime();
        try {
            var options = Options.parse(
                    List.of(arguments),
                    Path.of(System.getProperty("rookery.deploy", "deploy")).toAbsolutePath(),
                    Path.of(System.getProperty("rookery.data", "target/restore"))
                            .toAbsolutePath());
            if (options.help()) {
                System.out.print(Options.HELP);
                System.exit(0);
            }
            boolean fine = new Drill(
                            options,
                            line -> System.out.printf(
                                    Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - begunNanos) / 1e9, line))
                    .play();
            System.exit(fine ? 0 : 1);
        } catch (IllegalArgumentException e) {
            System.err.println("deploy/e2e/restore: " + e.getMessage());
            System.exit(2);
        }
    }
}
