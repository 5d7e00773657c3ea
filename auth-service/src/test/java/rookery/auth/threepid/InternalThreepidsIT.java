// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;

class InternalThreepidsIT {
    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String mail = name + "@example.org";

    @Test
    void onlyBoundAddressesFindTheirUser() {
        server.tokenOfNewUser(ALPHA, name);
        add(mail, false);
        assertThat(bound(1, "email", mail)).as("added, not bound").isEqualTo("[]");

        server.database()
                .execute("UPDATE auth.threepid SET bound = true WHERE tenant = 1 AND address = '%s'".formatted(mail));
        assertThat(bound(1, "email", mail)).isEqualTo("[\"%s\"]".formatted(ALPHA.user(name)));
        assertThat(bound(1, "email", " " + name + "@EXAMPLE.org"))
                .as("as written")
                .isNotEqualTo("[]");
        assertThat(bound(2, "email", mail)).as("in another tenant").isEqualTo("[]");
        assertThat(bound(1, "msisdn", mail)).as("of another medium").isEqualTo("[]");
    }

    @Test
    void whatIsNoAddressIsNobodys() {
        for (String address : new String[] {"", "nonsense", "\\u0000@example.org", "+", "447400123456", "%"}) {
            for (String medium : new String[] {"email", "msisdn", "pigeon", "\\u0000"}) {
                assertThat(bound(1, medium, address)).as(medium + " " + address).isEqualTo("[]");
            }
        }
    }

    @Test
    void manyAreAskedForAtOnce() {
        String other = AuthServer.name();
        server.tokenOfNewUser(ALPHA, name);
        server.tokenOfNewUser(ALPHA, other);
        add(mail, true);
        server.database().execute("""
                INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at, bound)
                VALUES (1, 'msisdn', '44%d', '%s', now(), now(), true)
                """.formatted(7_000_000_000L + other.hashCode() % 1_000_000, ALPHA.user(other)));
        var answer = server.internal("POST", "/internal/threepids/bound", """
                {"tenant":1,"addresses":[{"medium":"email","address":"%s"},{"medium":"email","address":"x@example.org"},
                 {"medium":"email","address":"%s"},{"medium":"msisdn","address":"44%d"}]}
                """.formatted(
                        mail, mail, 7_000_000_000L + other.hashCode() % 1_000_000));

        assertThat(answer.json().path("users").valueStream().map(user -> user.asString()))
                .containsExactlyInAnyOrder(ALPHA.user(name), ALPHA.user(other));
    }

    private void add(String address, boolean bound) {
        server.database().execute("""
                INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at, bound)
                VALUES (1, 'email', '%s', '%s', now(), now(), %s)
                """.formatted(address, ALPHA.user(name), bound));
    }

    private String bound(int tenant, String medium, String address) {
        return server.internal("POST", "/internal/threepids/bound", """
                        {"tenant":%d,"addresses":[{"medium":"%s","address":"%s"}]}
                        """.formatted(tenant, medium, address))
                .json()
                .path("users")
                .toString();
    }
}
