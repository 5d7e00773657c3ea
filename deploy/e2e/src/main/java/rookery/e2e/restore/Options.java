package rookery.e2e.restore;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code deploy/e2e/restore}. */
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

    /** The folder of the data folders and the backup. */
    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/restore")).toAbsolutePath();
}
