// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.trial;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of all end-to-end programs. */
public class TrialOptions {
    /** The folder of the data, deleted before and after the run. */
    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/trial"));
}
