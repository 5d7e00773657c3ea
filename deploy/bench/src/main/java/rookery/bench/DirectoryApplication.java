package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import rookery.bench.ClosedLoop.Request;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.embedded.Database;
import rookery.program.Program;

/** What {@code deploy/bench/directory} runs: pages and searches of large directories, through the gateway (contract.md 6). */
public final class DirectoryApplication {
    private static final int CLIENTS = 1;
    private static final String HELP = """
            deploy/bench/directory measures a Rookery that runs on this machine: pages of the room directory, searches for rooms and for
            users, one request at a time, in directories of 100,000 rooms and 100,000 users that it writes into the database.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --members N          how many rooms, and how many users (100000)
              --seconds N          of each measurement (60)
              --warm-up N          seconds before them (60)
              --data DIR           its data folder (data/ in the project)
            """;

    /** Word i of a made-up language: two syllables out of a few. */
    private static final String WORD = """
            (SELECT substr('bakodumalenisoturivegapifohu', 1 + 2 * ((NUMBER) % 14)::int, 2)
                 || substr('rinasolemukatedovipuga', 1 + 2 * ((NUMBER) / 14 % 11)::int, 2)
                 || substr('baxesidom', 1 + ((NUMBER) / 154 % 7)::int, 3))
            """;

    private static final String ROOMS = """
            INSERT INTO directory.room (tenant, room_id, published, joined, open, facts, search)
            SELECT 1, '!bench-' || i || ':localhost', true, (i * 7919) % 1000, true,
                   json_build_object('m.room.name', json_build_object('id', '$' || i, 'value', n.name),
                                     'm.room.join_rules', json_build_object('id', '$j' || i, 'value', 'public'))::text,
                   n.name
              FROM generate_series(1, MANY) AS i
             CROSS JOIN LATERAL (SELECT FIRST || ' ' || SECOND AS name) n
                ON CONFLICT DO NOTHING
            """;

    private static final String USERS = """
            INSERT INTO directory.person (tenant, user_id, profile, localpart, words)
            SELECT 1, '@bench-' || n.name || i || ':localhost', json_build_object('displayname', n.name || ' ' || n.other)::text,
                   'bench-' || n.name || i, ' ' || n.name || ' ' || n.other
              FROM generate_series(1, MANY) AS i
             CROSS JOIN LATERAL (SELECT FIRST AS name, SECOND AS other) n
                ON CONFLICT DO NOTHING
            """;

    private static final String MEMBERS = """
            INSERT INTO directory.member (tenant, room_id, user_id)
            SELECT p.tenant, '!bench-' || (1 + abs(hashtext(p.user_id || k)) % MANY) || ':localhost', p.user_id
              FROM directory.person p CROSS JOIN generate_series(1, 3) AS k
             WHERE p.user_id LIKE '@bench-%' ON CONFLICT DO NOTHING
            """;

    private final LoadOptions options;
    private final Session reader;
    private final SecureRandom random = new SecureRandom();

    private DirectoryApplication(LoadOptions options) throws IOException {
        this.options = options;
        var http = Http.to(TenantAddress.at(options.url, options.prefix));
        this.reader = Session.register(http, "bench-" + Long.toHexString(random.nextLong()));
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/directory", HELP, new LoadOptions(100_000), arguments, options -> {
            new DirectoryApplication(options).measure();
            return true;
        });
    }

    private void measure() throws IOException {
        System.out.println("writing %d rooms and as many users".formatted(options.members));
        fill(DataFolderDatabase.of(options.data));
        Request page = _ -> reader.call("GET", "/v3/publicRooms?limit=50", null);
        Request next = _ -> reader.call("POST", "/v3/publicRooms", Map.of("limit", 50, "since", since()));
        Request search = _ -> reader.call(
                "POST", "/v3/publicRooms", Map.of("limit", 50, "filter", Map.of("generic_search_term", term())));
        Request users =
                _ -> reader.call("POST", "/v3/user_directory/search", Map.of("search_term", term(), "limit", 10));
        System.out.println("warming up for %d s".formatted(options.warmUp.toSeconds()));
        var all = List.of(page, next, search, users);
        for (var request : all) {
            new ClosedLoop(CLIENTS, options.warmUp.dividedBy(all.size())).run(request);
        }
        var measurement = new Measurement(CLIENTS, options.length, options.data);
        measurement.report("first page of 50 rooms", page);
        measurement.report("two pages of 50 rooms", next);
        measurement.report("search for rooms", search);
        measurement.report("search for users", users);
    }

    /** Of the second page: asking for it costs a page itself. */
    private String since() throws IOException {
        return reader.get("/v3/publicRooms?limit=50").path("next_batch").asString();
    }

    /** A word of the made-up language, whole or its beginning. */
    private String term() {
        int i = random.nextInt(1078);
        String word = "bakodumalenisoturivegapifohu".substring(2 * (i % 14), 2 * (i % 14) + 2)
                + "rinasolemukatedovipuga".substring(2 * (i / 14 % 11), 2 * (i / 14 % 11) + 2)
                + "baxesidom".substring(i / 154 % 7, i / 154 % 7 + 3);
        return word.substring(0, 4 + i % 4);
    }

    private void fill(Database database) {
        database.execute(
                filled(ROOMS),
                filled(USERS),
                filled(MEMBERS),
                "VACUUM ANALYZE directory.room",
                "VACUUM ANALYZE directory.person",
                "VACUUM ANALYZE directory.member");
    }

    private String filled(String statement) {
        return statement
                .replace("MANY", Integer.toString(options.members))
                .replace("FIRST", WORD.replace("NUMBER", "i"))
                .replace("SECOND", WORD.replace("NUMBER", "i * 31 + 17"));
    }
}
