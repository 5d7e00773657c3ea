package rookery.e2e.claims;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@code deploy/e2e/claims}. */
final class Options {
    static final String HELP = """
            deploy/e2e/claims      clients of two instances of auth-service claim one-time keys until there are none, while the
                                   instances are killed in turn with kill -9; then it is judged who was given what

              --keys N             how many keys there are (10000), of devices with 1000 each
              --clients N          how many clients claim (50)
              --kills N            of the two instances in turn (6)
              --data DIR           where the data is kept; removed before and afterwards
            """;

    @Option(names = "--keys")
    int keys = 10_000;

    @Option(names = "--clients")
    int clients = 50;

    @Option(names = "--kills")
    int kills = 6;

    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/claims")).toAbsolutePath();
}
