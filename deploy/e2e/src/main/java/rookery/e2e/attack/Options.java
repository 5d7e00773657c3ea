// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/attack}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/attack      some users send extreme requests, while another user chats; every process must keep running,
                                   the other messages must stay fast, and the memory must be free afterwards

              --cluster INSTANCES  such as gateway=1,room=2,sync=1; without it one JVM
              --users N            attacking users (25)
              --downloads N        downloads of 5 MB without reading (600)
              --reads N            concurrent reads of each kind (100)
              --searches N         concurrent searches (100)
              --pictures N         odd pictures with thumbnails (1000)
              --seconds N          duration of slow reads (40)
              --attack NAME        only this attack: downloads, reads, slow-reads, searches or pictures
              --data DIR           folder of the data, deleted before and after the run
            """;

    @Option(names = "--cluster")
    @Nullable
    String cluster;

    @Option(names = "--users")
    int users = 25;

    @Option(names = "--downloads")
    int downloads = 600;

    @Option(names = "--reads")
    int reads = 100;

    @Option(names = "--searches")
    int searches = 100;

    @Option(names = "--pictures")
    int pictures = 1_000;

    @Option(names = "--seconds")
    int seconds = 40;

    @Option(names = "--attack")
    @Nullable
    String attack;
}
