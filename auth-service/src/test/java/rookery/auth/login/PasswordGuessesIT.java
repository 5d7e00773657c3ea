// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Tenant;

/** Guessing passwords locks out the guesser, and not the owner of the account (contract.md 2.6). */
class PasswordGuessesIT {
    private static final String HOME = "198.51.100.7";
    private static final int OF_NETWORK = 20;
    private static final int OF_ACCOUNT = 100;
    private static final int OF_ADDRESS = 50;

    private static AuthServer server;

    @BeforeAll
    static void start() {
        server = AuthServer.with("--rookery.auth.password.failures-of-address-max=" + OF_ADDRESS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aNetworkIsLockedOutAndTheOwnerIsNot() {
        String owner = registered();
        for (int i = 0; i < OF_NETWORK; i++) {
            assertThat(guess("203.0.113." + i, owner)).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(guess("203.0.113.200", owner)).isEqualTo("429 M_LIMIT_EXCEEDED");
        assertThat(right("203.0.113.201", owner)).isEqualTo(429);
        assertThat(right(HOME, owner)).isEqualTo(200);
        assertThat(right("2001:db8::1", owner)).isEqualTo(200);
    }

    @Test
    void aHalfOfAnIpv6AddressIsANetwork() {
        String owner = registered();
        for (int i = 0; i < OF_NETWORK; i++) {
            guess("2001:db8:1:2::" + i, owner);
        }
        assertThat(right("2001:db8:1:2:ffff::1", owner)).isEqualTo(429);
        assertThat(right("2001:db8:1:3::1", owner)).isEqualTo(200);
    }

    @Test
    void guessesFromManyNetworksLockOutThoseThatAreNotKnown() {
        String owner = registered();
        assertThat(right(HOME, owner)).isEqualTo(200);
        for (int i = 0; i < OF_ACCOUNT; i++) {
            assertThat(guess("10.1." + i + ".1", owner)).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(right("10.2.1.1", owner)).isEqualTo(429);
        assertThat(right(HOME, owner)).isEqualTo(200);
        assertThat(right("198.51.100.8", owner)).as("the same network").isEqualTo(200);
        server.database().execute("UPDATE auth.known_network SET login_at = login_at - interval '31 days'");
        assertThat(right(HOME, owner)).isEqualTo(429);
    }

    @Test
    void anAddressThatGuessesAtManyAccountsIsLockedOut() {
        String owner = registered();
        for (int i = 0; i < OF_ADDRESS; i++) {
            assertThat(guess("10.3.1.1", "nobody" + i)).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(right("10.3.1.1", owner)).isEqualTo(429);
        assertThat(right("10.3.1.2", owner)).isEqualTo(200);
        assertThat(login(BETA, "10.3.1.1", owner, "guess")).as("another tenant").isEqualTo("403 M_FORBIDDEN");
    }

    private static String registered() {
        String name = AuthServer.name();
        assertThat(server.register(ALPHA, name, "correct horse").status()).isEqualTo(200);
        return name;
    }

    private static String guess(String ip, String name) {
        return login(ALPHA, ip, name, "guess");
    }

    private static int right(String ip, String name) {
        return Integer.parseInt(login(ALPHA, ip, name, "correct horse").substring(0, 3));
    }

    private static String login(Tenant tenant, String ip, String name, String password) {
        var answer = server.callFrom(ip, tenant, "POST", "/_api/client/v3/login", """
                {"type":"m.login.password","user":"%s","password":"%s"}""".formatted(name, password));
        return answer.status() == 200 ? "200" : answer.refusal();
    }
}
