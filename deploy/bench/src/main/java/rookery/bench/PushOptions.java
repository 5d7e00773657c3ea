package rookery.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the person at the keyboard asked for.
 *
 * @param sizes members of the rooms, the smallest first
 * @param warmUp before anything is measured
 * @param messages into each room
 */
record PushOptions(List<Integer> sizes, Duration warmUp, int messages, boolean help) {
    static final String HELP = """
            deploy/bench/push measures the counting of push-service against a PostgreSQL of its own: how many verdicts it finds in
            a second, and what a message costs in rooms of 10, 1,000, 10,000 and 100,000 members, with and without pushes. One
            member in a hundred has rules of their own, one in ten a pusher; every message mentions ten.

              --warm-up N          seconds before anything is measured (60)
              --messages N         into each room (2000)
              --quick              5 seconds, 200 messages, and no room of 100,000: to try it, not to believe it
            """;

    private static final List<Integer> SIZES = List.of(10, 1_000, 10_000, 100_000);
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    private static final int MESSAGES = 2_000;

    static PushOptions parse(List<String> words) {
        var sizes = new ArrayList<>(SIZES);
        var warmUp = WARM_UP;
        int messages = MESSAGES;
        boolean help = false;
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            switch (word) {
                case "--help" -> help = true;
                case "--quick" -> {
                    sizes.removeLast();
                    warmUp = Duration.ofSeconds(5);
                    messages = 200;
                }
                case "--warm-up" -> warmUp = Duration.ofSeconds(number(word, rest.hasNext() ? rest.next() : ""));
                case "--messages" -> messages = number(word, rest.hasNext() ? rest.next() : "");
                default -> throw new IllegalArgumentException("unknown option " + word);
            }
        }
        return new PushOptions(List.copyOf(sizes), warmUp, messages, help);
    }

    private static int number(String option, String text) {
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(option + " needs a number");
        }
        return Integer.parseInt(text);
    }
}
