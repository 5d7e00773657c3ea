package rookery.e2e.restore;

import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import rookery.program.Program;

/** The program behind {@code deploy/e2e/restore}: exits with 0 when all promises are kept. */
public final class DrillApplication {
    private DrillApplication() {}

    public static void main(String[] arguments) throws IOException {
        long begunNanos = System.nanoTime();
        Consumer<String> progress =
                line -> System.out.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - begunNanos) / 1e9, line);
        Program.run(
                "deploy/e2e/restore",
                Options.HELP,
                new Options(),
                arguments,
                options -> new Drill(options, progress).play());
    }
}
