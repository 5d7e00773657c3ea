// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.running.Rookery;
import rookery.embedded.Child;
import rookery.standalone.LauncherForTests;
import rookery.standalone.OperatorApplication;

/** Runs {@code deploy/admin} on a data folder. */
record AdminProgram(Rookery rookery) {
    /** What the program printed, and its exit value. */
    record Run(int exit, String printed) {}

    Run run(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Child.java(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                LauncherForTests.classPath(),
                OperatorApplication.class.getName()));
        command.addAll(List.of(words));
        command.add("--data=" + rookery.plan().data());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), printed);
    }
}
