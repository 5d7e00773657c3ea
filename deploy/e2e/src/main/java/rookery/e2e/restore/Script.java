// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs scripts for operators. */
final class Script {
    private Script() {}

    /** Runs a script to its end. Returns its output; fails on another exit value than 0. */
    static String run(List<String> command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            var printed = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("%s failed: %s".formatted(command, printed));
            }
            return printed;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
