package rookery.e2e.attack;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code deploy/e2e/attack}. */
final class Options {
    static final String HELP = """
            deploy/e2e/attack      some users ask for far too much at once, while another one chats; then it is judged whether each process
                                   still runs, how long the other user's messages took, and whether the memory is free again

              --cluster INSTANCES  such as gateway=1,room=2,sync=1; without it one JVM
              --users N            how many users attack (25)
              --downloads N        downloads of 5 MB that nobody reads (600)
              --reads N            of each kind of read at once (100)
              --searches N         searches at once (100)
              --pictures N         odd pictures whose thumbnails are asked for (1000)
              --seconds N          for so long slow readers go on (40)
              --attack NAME        only this one: downloads, reads, slow-reads, searches or pictures
              --data DIR           where the data is kept; removed before and afterwards
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

    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/attack")).toAbsolutePath();
}
