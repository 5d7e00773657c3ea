package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.bench.ClosedLoop.Request;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;

/** What {@code deploy/bench/accounts} runs: the costs of contract.md 3 through the gateway. */
public final class AccountsApplication {
    private static final String PASSWORD = "correct horse battery"; // of every Session
    private static final int CLIENTS = 32;
    private static final int ROUNDS = 3;
    private final AccountsOptions options;
    private final List<Http> connections = new ArrayList<>();
    private final List<Session> people = new ArrayList<>();
    private final String name = "bench-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    private final AtomicInteger number = new AtomicInteger();

    private AccountsApplication(AccountsOptions options) throws IOException {
        this.options = options;
        for (int i = 0; i < CLIENTS; i++) {
            var http = Http.to(TenantAddress.at(options.url, options.prefix));
            connections.add(http);
            people.add(Session.register(http, newName()));
        }
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/accounts", AccountsOptions.HELP, new AccountsOptions(), arguments, options -> {
            new AccountsApplication(options).measure();
            return true;
        });
    }

    /** Each kind is warmed up by itself: what compiled a check of a token has compiled no login. */
    private void measure() {
        for (var kind : options.kinds) {
            System.out.println("%s: warming up for %d s".formatted(kind.word, options.warmUp.toSeconds()));
            switch (kind) {
                case TOKENS -> measureTokens();
                case LOGINS -> measure(kind, this::login);
                case REGISTRATIONS -> measure(kind, this::register);
            }
        }
    }

    private void measure(AccountsOptions.Kind kind, Request request) {
        run(options.warmUp, request);
        report(kind.word, options.length, request);
    }

    private void measureTokens() {
        Request whoami = client -> people.get(client).call("GET", "/v3/account/whoami", null);
        Request open = client -> connections.get(client).call("GET", "/v3/login", null, null);
        run(options.warmUp.dividedBy(2), open);
        run(options.warmUp.dividedBy(2), whoami);
        var part = options.length.dividedBy(ROUNDS);
        for (int i = 0; i < ROUNDS; i++) {
            report("no token, GET /login", part, open);
            report("token, GET /whoami", part, whoami);
        }
    }

    private Answer login(int client) throws IOException {
        var body = Map.of(
                "type",
                "m.login.password",
                "device_id",
                "BENCH",
                "identifier",
                Map.of("type", "m.id.user", "user", people.get(client).userId()),
                "password",
                PASSWORD);
        return connections.get(client).call("POST", "/v3/login", null, body);
    }

    private Answer register(int client) throws IOException {
        var body = Map.of("username", newName(), "password", PASSWORD, "auth", Map.of("type", "m.login.dummy"));
        return connections.get(client).call("POST", "/v3/register", null, body);
    }

    private String newName() {
        return name + "-" + number.incrementAndGet();
    }

    private static ClosedLoop.Result run(Duration length, Request request) {
        return new ClosedLoop(CLIENTS, length).run(request);
    }

    private void report(String what, Duration length, Request request) {
        new Measurement(CLIENTS, length, options.data).report(what, request);
    }
}
