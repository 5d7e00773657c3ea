package rookery.bench;

import java.util.EnumSet;
import java.util.Locale;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** What the person at the keyboard asked {@code deploy/bench/accounts} for. */
final class AccountsOptions extends LoadOptions {
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

    /** Something that can be measured by itself, in the order in which it is. */
    enum Kind {
        TOKENS,
        LOGINS,
        REGISTRATIONS;

        final String word = name().toLowerCase(Locale.ROOT);
    }

    @Option(names = "--only", split = Program.COMMA, paramLabel = "some of tokens,logins,registrations")
    EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);
}
