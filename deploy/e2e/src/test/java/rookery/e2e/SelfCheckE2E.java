// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.selfcheck.Account;
import rookery.selfcheck.SelfCheck;

/** The result of {@code deploy/self-check} against a working Rookery with various tenants. */
@OnOneJvm
class SelfCheckE2E {
    private static final int STRICT_NUMBER = 3;
    private static final int CLOSED_NUMBER = 4;

    private final Rookery rookery;
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    SelfCheckE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void everythingWorksThoughTheRateLimitRefusesManyRequests() throws IOException {
        var site = rookery.site();
        try (var proxy = new LimitingProxy(site);
                var http = rookery.http()) {
            var root = Steps.administrator(rookery, http);
            var admin = new Account(root.userId(), Steps.PASSWORD);

            assertThat(check(new SelfCheck.Settings(proxy.before(site), List.of(), List.of(), admin)))
                    .as("%s", lines)
                    .isTrue();
        }

        assertThat(lines).contains("waiting 1 s for the rate limit").noneMatch(line -> line.startsWith("FAILS"));
        assertThat(lines)
                .last()
                .asString()
                .matches("all works; left behind: the name of @self-check-ada-\\w+:localhost, the name of"
                        + " @self-check-grace-\\w+:localhost");
    }

    @Test
    void whoRegistersMayNeedATokenEach() throws IOException {
        var site = rookery.site(SharedRookery.STRICT);

        assertThat(check(new SelfCheck.Settings(site, List.of(), List.of(), null)))
                .isFalse();
        assertThat(lines)
                .anyMatch(
                        line -> line.matches("not checked  accounts +who registers here needs a token: give --token.*"))
                .anyMatch(line -> line.matches("not checked  typing +needs conversation"))
                .noneMatch(line -> line.startsWith("FAILS"));
        assertThat(lines).last().asString().startsWith("what was checked works; ");

        lines.clear();
        assertThat(check(new SelfCheck.Settings(site, List.of(token()), List.of(), null)))
                .as("one token for two")
                .isFalse();
        assertThat(lines)
                .anyMatch(line -> line.matches("not checked  accounts +the registration token was refused .*"))
                .anyMatch(line -> line.matches("works +farewell .*"))
                .noneMatch(line -> line.startsWith("FAILS"));

        lines.clear();
        assertThat(check(new SelfCheck.Settings(site, List.of(token(), token()), List.of(), null)))
                .as("%s", lines)
                .isTrue();
    }

    @Test
    void twoAccountsAreEnoughWhereNobodyMayRegister() throws IOException {
        var site = rookery.site(SharedRookery.CLOSED);
        var accounts = List.of(account("one"), account("two"));
        try (var http = Http.to(site)) {
            var other = Session.login(http, accounts.getFirst().user());

            assertThat(check(new SelfCheck.Settings(site, List.of(), accounts, null)))
                    .as("%s", lines)
                    .isTrue();

            assertThat(other.get("/v3/devices").path("devices").size())
                    .as("only the device that was there")
                    .isEqualTo(1);
            assertThat(other.get("/v3/joined_rooms").path("joined_rooms")).isEmpty();
        }
        assertThat(lines)
                .last()
                .asString()
                .matches(
                        "all works; left behind: the room !\\S+ without members, the file mxc://\\S+ of \\d+ bytes, a filter"
                                + " of @one-.*");
    }

    private boolean check(SelfCheck.Settings settings) {
        try (var check = new SelfCheck(settings, lines::add)) {
            return check.run();
        }
    }

    private String token() throws IOException {
        return new Nodes(rookery)
                .internal(
                        "auth-service",
                        "/internal/admin/registration-token",
                        Map.of("tenant", STRICT_NUMBER, "uses", 1))
                .ok()
                .path("token")
                .asString();
    }

    private Account account(String like) throws IOException {
        var name = "@" + People.name(like) + ":" + SharedRookery.CLOSED;
        new Nodes(rookery)
                .internal(
                        "auth-service",
                        "/internal/admin/create",
                        Map.of("tenant", CLOSED_NUMBER, "user", name, "password", Steps.PASSWORD))
                .ok();
        return new Account(name, Steps.PASSWORD);
    }
}
