package rookery.bench;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What the person at the keyboard asked for. */
final class PushOptions {
    static final String HELP = """
            deploy/bench/push measures the counting of push-service against a PostgreSQL of its own: how many verdicts it finds in
            a second, and what a message costs in rooms of 10, 1,000, 10,000 and 100,000 members, with and without pushes. One
            member in a hundred has rules of their own, one in ten a pusher; every message mentions ten.

              --warm-up N          seconds before anything is measured (60)
              --messages N         into each room (2000)
              --quick              5 seconds, 200 messages, and no room of 100,000: to try it, not to believe it
            """;

    /** Members of the rooms, the smallest first. */
    List<Integer> sizes = List.of(10, 1_000, 10_000, 100_000);

    /** Before anything is measured. */
    @Option(names = "--warm-up")
    Duration warmUp = Duration.ofSeconds(60);

    /** Into each room. */
    @Option(names = "--messages")
    int messages = 2_000;

    @Option(names = "--quick")
    void quick(boolean quick) {
        if (quick) {
            sizes = List.of(10, 1_000, 10_000);
            warmUp = Duration.ofSeconds(5);
            messages = 200;
        }
    }
}
