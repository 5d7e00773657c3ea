// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of util-linux that start other programs. A missing program is left out. */
final class Tools {
    private static final long PATIENCE_SECONDS = 30;

    /** Checked at the first use. */
    private static final class Setsid {
        static final boolean WORKS = works("setsid", "true");
    }

    /** Checked at the first use. */
    private static final class DeathSignal {
        static final boolean WORKS = works("setpriv", "--pdeathsig", "KILL", "true");
    }

    private Tools() {}

    static List<String> ownSession() {
        return Setsid.WORKS ? List.of("setsid") : List.of();
    }

    static List<String> dyingWithUs(Child.Signal signal) {
        return DeathSignal.WORKS ? List.of("setpriv", "--pdeathsig", signal.name()) : List.of();
    }

    static boolean works(String... command) {
        return run(command) == 0;
    }

    /** Runs a short command and discards the output. Returns the exit value, 127 for a missing command. */
    static int run(String... command) {
        try {
            var process = Spawner.start(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return 127;
        } catch (IOException _) {
            return 127;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 127;
        }
    }
}
