package rookery.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the person at the keyboard asked {@code deploy/bench/accounts} for. */
record AccountsOptions(LoadOptions load, Set<Kind> kinds) {
    static final String HELP = """
            deploy/bench/accounts measures a Rookery that runs, with 32 clients that ask again as soon as they are answered:
            whoami beside a route that checks no token, logins and registrations.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --only KINDS         what is measured, such as logins,registrations (tokens,logins,registrations)
              --seconds N          of each kind (60); whoami and the other route take turns, three times
              --warm-up N          seconds of the same requests before each kind (60)
              --data DIR           its data folder, to tell the CPU of each of its processes (data/ in the project)
            """;

    private static final String ONLY = "--only";

    /** Something that can be measured by itself, in the order in which it is. */
    enum Kind {
        TOKENS,
        LOGINS,
        REGISTRATIONS;

        final String word = name().toLowerCase(Locale.ROOT);
    }

    static AccountsOptions parse(List<String> words, @Nullable Path data) {
        var others = new ArrayList<>(words);
        int only = others.indexOf(ONLY);
        if (only < 0) {
            return new AccountsOptions(LoadOptions.parse(words, data), EnumSet.allOf(Kind.class));
        }
        if (only + 1 == others.size()) {
            throw new IllegalArgumentException(ONLY + " needs a value; --help shows how it looks");
        }
        others.remove(only);
        var kinds = kinds(others.remove(only));
        return new AccountsOptions(LoadOptions.parse(others, data), kinds);
    }

    private static Set<Kind> kinds(String list) {
        var kinds = EnumSet.noneOf(Kind.class);
        for (String word : list.split(",", -1)) {
            kinds.add(Arrays.stream(Kind.values())
                    .filter(kind -> kind.word.equals(word.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("%s needs some of %s, not %s"
                            .formatted(
                                    ONLY,
                                    Arrays.stream(Kind.values())
                                            .map(kind -> kind.word)
                                            .collect(Collectors.joining(",")),
                                    word))));
        }
        return kinds;
    }
}
