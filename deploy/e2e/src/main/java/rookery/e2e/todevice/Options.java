package rookery.e2e.todevice;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of {@code deploy/e2e/to-device}. */
final class Options {
    static final String HELP = """
            deploy/e2e/to-device   devices of two tenants send each other messages while processes are killed with kill -9; then it is
                                   judged whether each was told until it was acknowledged, never after, in order and once

              --seconds N          how long they send (180)
              --rate N             messages a second (40)
              --kills N            of the instances in turn, spread over that time (12)
              --seed N             of the moments, to see a run again
              --strict             nor may a device that begins without a token be told what it has just acknowledged
              --data DIR           where the data is kept; removed before and afterwards
            """;

    @Option(names = "--seconds")
    Duration length = Duration.ofMinutes(3);

    @Option(names = "--rate")
    double perSecond = 40;

    @Option(names = "--kills")
    int kills = 12;

    @Option(names = "--seed")
    long seed = new SecureRandom().nextInt(1_000_000);

    @Option(names = "--strict")
    boolean strict;

    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/to-device")).toAbsolutePath();
}
