package rookery.auth.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;

class ProfileIT {
    private static final String PROFILE = "/_api/client/v3/profile/";

    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String token = server.tokenOfNewUser(ALPHA, name);

    @Test
    void profileBeginsWithTheLocalpartAsName() {
        String path = PROFILE + ALPHA.user(name);

        assertThat(server.call(ALPHA, "GET", path, null).raw().body())
                .isEqualTo("{\"displayname\":\"%s\"}".formatted(name));
        assertThat(server.call(ALPHA, "GET", path + "/displayname", null).raw().body())
                .isEqualTo("{\"displayname\":\"%s\"}".formatted(name));
        assertThat(server.call(ALPHA, "GET", path + "/avatar_url", null).refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void usersOfNobodyOrOfAnotherTenantHaveNone() {
        assertThat(server.call(ALPHA, "GET", PROFILE + "@nobody:alpha.example", null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(BETA, "GET", PROFILE + ALPHA.user(name), null).refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(ALPHA, "GET", PROFILE + "bob", null).refusal()).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void servicesAskForManyAtOnce() {
        var answer = server.internal(
                "POST",
                "/internal/profiles",
                "{\"tenant\":1,\"users\":[\"%s\",\"@nobody:alpha.example\"]}".formatted(ALPHA.user(name)));

        assertThat(answer.raw().body())
                .isEqualTo("{\"profiles\":{\"%s\":{\"displayname\":\"%s\"}}}".formatted(ALPHA.user(name), name));
    }

    @Test
    void statisticsCountUsersAndDevices() {
        server.resolve(ALPHA, token);

        var stats = server.internal("GET", "/internal/stats?tenant=1", null).json();

        assertThat(stats.path("users").propertyNames())
                .containsExactlyInAnyOrder("total", "active", "deactivated", "blocked", "active_24h", "active_30d");
        assertThat(stats.path("users").path("active_24h").longValue()).isPositive();
        assertThat(stats.path("devices").path("total").longValue()).isPositive();
    }

    @Test
    void capabilitiesAreTold() {
        var capabilities = server.call(ALPHA, token, "GET", "/_api/client/v3/capabilities", null)
                .json()
                .path("capabilities");

        assertThat(capabilities.path("m.room_versions").path("default").stringValue())
                .isEqualTo("11");
        assertThat(capabilities.has("m.account_moderation")).isFalse();
    }
}
