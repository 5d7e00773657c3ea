package rookery.e2e.restore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One of the scripts that operators run. */
final class Script {
    private Script() {}

    /** Runs it to its end. Returns what it printed; complains when it fails. */
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
