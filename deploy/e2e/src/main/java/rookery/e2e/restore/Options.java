package rookery.e2e.restore;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the person at the keyboard asked for. */
final class Options {
    static final String HELP = """
            deploy/e2e/restore      clients talk, a backup is taken meanwhile, and they go on; then everything is stopped and restored into
                                    a new folder, and all of them come back with the tokens that they have

              --before N            seconds before the backup (20)
              --lost N              seconds after it, which are lost (20)
              --people N            clients of the first tenant, half of whom stop listening before the backup; a third of N of another (12)
              --rate N              messages a second (50)
              --cluster LIST        of processes, such as room=2,sync=2; otherwise one JVM
              --data DIR            where the data is kept; removed before and afterwards
            """;

    /** How long they talk before the backup. */
    @Option(names = "--before")
    Duration before = Duration.ofSeconds(20);

    /** How long they go on afterwards, which is lost. */
    @Option(names = "--lost")
    Duration lost = Duration.ofSeconds(20);

    /** Of the first tenant; of the second one a third as many. */
    @Option(names = "--people")
    int people = 12;

    @Option(names = "--rate")
    double perSecond = 50;

    @Option(names = "--cluster")
    @Nullable
    String cluster;

    /** Where the data folders and the backup are kept. */
    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/restore")).toAbsolutePath();
}
