// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/restore}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/restore      clients send messages during and after a backup; then everything is stopped and the backup is
                                    restored into a new folder, and all clients return with their tokens

              --before N            seconds before the backup (20)
              --lost N              seconds after the backup, which are lost (20)
              --people N            clients of the first tenant, half of which stop before the backup; N / 3 of the second (12)
              --rate N              messages a second (50)
              --cluster LIST        processes such as room=2,sync=2; default: one JVM
              --data DIR            folder of the data, deleted before and after the run
            """;

    /** The time of sending before the backup. */
    @Option(names = "--before")
    Duration before = Duration.ofSeconds(20);

    /** The time of sending after the backup, which the restore loses. */
    @Option(names = "--lost")
    Duration lost = Duration.ofSeconds(20);

    /** The users of the first tenant; the second tenant has a third of that number. */
    @Option(names = "--people")
    int people = 12;

    @Option(names = "--rate")
    double perSecond = 50;

    @Option(names = "--cluster")
    @Nullable
    String cluster;
}
