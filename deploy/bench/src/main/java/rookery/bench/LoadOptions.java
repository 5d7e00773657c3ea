package rookery.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.TenantAddress;

/**
 * What the person at the keyboard asked for.
 *
 * @param data the data folder of the Rookery at the URL, when it runs on this machine
 * @param json where the results shall be written as well
 */
record LoadOptions(
        URI url,
        String prefix,
        int members,
        double rate,
        Duration length,
        double warmUpRequests,
        Duration warmUp,
        @Nullable Path data,
        @Nullable Path json,
        boolean help) {
    static final String HELP = """
            deploy/bench/run measures a Rookery that runs: messages at a steady rate to members in long polls.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --members N          of the room, each in a long poll (10)
              --rate N             messages a second (20)
              --seconds N          how long (60)
              --warm-up N          seconds before that, at a higher rate (60)
              --warm-up-rate N     requests a second in them, sends and polls together (330)
              --data DIR           its data folder, to tell the CPU of each of its processes (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    static final int FEW_MEMBERS = 10;
    static final int MANY_MEMBERS = 10_000;

    static LoadOptions parse(List<String> words, @Nullable Path data) {
        return parse(words, data, FEW_MEMBERS);
    }

    static LoadOptions parse(List<String> words, @Nullable Path data, int members) {
        var options = new LoadOptions(
                URI.create("http://localhost:8008"),
                TenantAddress.NATIVE,
                members,
                20,
                Duration.ofSeconds(60),
                330,
                Duration.ofSeconds(60),
                data,
                null,
                false);
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            if (word.equals("--help") || word.equals("-h")) {
                return options.helping();
            }
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(word + " needs a value; --help shows how it looks");
            }
            options = options.with(word, rest.next());
        }
        return options;
    }

    /** Sends are that part of the requests of the warm-up which makes the polls the rest. */
    double warmUpRate() {
        return warmUpRequests / (members + 1);
    }

    private LoadOptions with(String option, String value) {
        return switch (option) {
            case "--url" -> with(URI.create(value), prefix);
            case "--prefix" -> with(url, value);
            case "--members" -> with((int) number(option, value), rate, length, warmUpRequests, warmUp);
            case "--rate" -> with(members, number(option, value), length, warmUpRequests, warmUp);
            case "--seconds" -> with(members, rate, seconds(option, value), warmUpRequests, warmUp);
            case "--warm-up" -> with(members, rate, length, warmUpRequests, seconds(option, value));
            case "--warm-up-rate" -> with(members, rate, length, number(option, value), warmUp);
            case "--data" -> with(Path.of(value), json);
            case "--json" -> with(data, Path.of(value));
            default -> throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(option));
        };
    }

    private LoadOptions with(URI otherUrl, String otherPrefix) {
        return new LoadOptions(otherUrl, otherPrefix, members, rate, length, warmUpRequests, warmUp, data, json, help);
    }

    private LoadOptions with(
            int otherMembers, double otherRate, Duration otherLength, double otherRequests, Duration otherWarmUp) {
        return new LoadOptions(
                url, prefix, otherMembers, otherRate, otherLength, otherRequests, otherWarmUp, data, json, help);
    }

    private LoadOptions with(@Nullable Path otherData, @Nullable Path otherJson) {
        return new LoadOptions(url, prefix, members, rate, length, warmUpRequests, warmUp, otherData, otherJson, help);
    }

    private LoadOptions helping() {
        return new LoadOptions(url, prefix, members, rate, length, warmUpRequests, warmUp, data, json, true);
    }

    private static Duration seconds(String option, String value) {
        return Duration.ofMillis((long) (number(option, value) * 1000));
    }

    private static double number(String option, String value) {
        try {
            double number = Double.parseDouble(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException("%s needs a number, not %s".formatted(option, value));
    }
}
