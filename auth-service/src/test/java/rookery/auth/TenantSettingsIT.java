// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer.Tenant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Settings that differ by tenant: the base URL for clients, the visibility of profiles, changes of addresses. */
@NullUnmarked // runs before all tests
class TenantSettingsIT {
    private static final String PROFILE = "/_api/client/v3/profile/";

    /** Pairs of users with a common room, in the stand-in for room-service. */
    private static final Set<String> SHARING = ConcurrentHashMap.newKeySet();

    private static HttpServer rooms;
    private static AuthServer server;

    @BeforeAll
    static void start() throws IOException {
        rooms = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rooms.createContext("/internal/rooms/shared", TenantSettingsIT::answer);
        rooms.start();
        server = AuthServer.with(
                "--rookery.tenants[0].settings.public-url=https://chat.alpha.example",
                "--rookery.auth.discovery.keys={\"org.example.all\":true}",
                "--rookery.tenants[0].settings.discovery-keys={\"org.matrix.msc4143.rtc_foci\":[{\"type\":\"livekit\"}]}",
                "--rookery.auth.support.page=https://all.example/help",
                "--rookery.tenants[0].settings.support={\"contacts\":["
                        + "{\"role\":\"m.role.admin\",\"email_address\":\"help@alpha.example\"},"
                        + "{\"role\":\"m.role.security\",\"matrix_id\":\"@ada:alpha.example\"}]}",
                "--rookery.tenants[0].settings.profiles-need-shared-room=true",
                "--rookery.tenants[1].settings.address-changes=false",
                "--rookery.tenants[1].room-version=12",
                "--rookery.auth.turn.tenants.1.uris[0]=turn:turn.alpha.example",
                "--rookery.auth.turn.tenants.1.shared-secret=north",
                "--rookery.instances.addresses.room-service[0]=127.0.0.1:"
                        + rooms.getAddress().getPort());
    }

    @AfterAll
    static void stop() {
        server.close();
        rooms.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        var question = JsonMapper.shared().readTree(exchange.getRequestBody());
        var pair =
                question.path("user").asString() + " " + question.path("other").asString();
        byte[] body = "{\"shared\":%s}".formatted(SHARING.contains(pair)).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void clientsAreToldWhereToConnectIfTheTenantSaysSo() {
        String name = AuthServer.name();
        for (var session : new AuthServer.Answer[] {
            server.register(ALPHA, name, "correct horse"), server.login(ALPHA, name),
        }) {
            assertThat(session.json().path("well_known").toString())
                    .isEqualTo("{\"m.homeserver\":{\"base_url\":\"https://chat.alpha.example\"}}");
        }
        assertThat(server.call(ALPHA, "GET", "/.well-known/matrix/client", null)
                        .raw()
                        .body())
                .isEqualTo("{\"m.homeserver\":{\"base_url\":\"https://chat.alpha.example\"},"
                        + "\"org.matrix.msc4143.rtc_foci\":[{\"type\":\"livekit\"}]}");
        assertThat(server.call(BETA, "GET", "/.well-known/matrix/client", null).refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.register(BETA, name, "correct horse").json().has("well_known"))
                .isFalse();
        assertThat(server.login(BETA, name).json().has("well_known")).isFalse();
    }

    @Test
    void callsHaveTheServersOfTheTenant() {
        String ada = AuthServer.name();
        String token = server.tokenOfNewUser(ALPHA, ada);
        for (String path : new String[] {"/v1/rtc/transports", "/unstable/org.matrix.msc4143/rtc/transports"}) {
            assertThat(server.call(ALPHA, token, "GET", "/_api/client" + path, null)
                            .raw()
                            .body())
                    .isEqualTo("{\"rtc_transports\":[{\"type\":\"livekit\"}],\"transports\":[{\"type\":\"livekit\"}]}");
            assertThat(server.call(ALPHA, "GET", "/_api/client" + path, null).refusal())
                    .isEqualTo("401 M_MISSING_TOKEN");
        }
        var turn = server.call(ALPHA, token, "GET", "/_api/client/v3/voip/turnServer", null)
                .json();
        assertThat(turn.path("username").asString()).matches("[0-9]{10}:" + ALPHA.user(ada));
        assertThat(turn.path("uris").toString()).isEqualTo("[\"turn:turn.alpha.example\"]");
        assertThat(turn.path("ttl").asInt()).isEqualTo(86_400);

        String other = server.tokenOfNewUser(BETA, ada);
        assertThat(server.call(BETA, other, "GET", "/_api/client/v1/rtc/transports", null)
                        .raw()
                        .body())
                .isEqualTo("{\"rtc_transports\":[],\"transports\":[]}");
        assertThat(server.call(BETA, other, "GET", "/_api/client/v3/voip/turnServer", null)
                        .raw()
                        .body())
                .isEqualTo("{}");
    }

    @Test
    void peopleAreToldWhomToTurnToIfTheTenantSaysSo() {
        assertThat(server.call(ALPHA, "GET", "/.well-known/matrix/support", null)
                        .raw()
                        .body())
                .isEqualTo("{\"contacts\":[{\"role\":\"m.role.admin\",\"email_address\":\"help@alpha.example\"},"
                        + "{\"role\":\"m.role.security\",\"matrix_id\":\"@ada:alpha.example\"}]}");
        assertThat(server.call(BETA, "GET", "/.well-known/matrix/support", null)
                        .raw()
                        .body())
                .isEqualTo("{\"support_page\":\"https://all.example/help\"}");
        assertThat(AuthServer.shared()
                        .call(BETA, "GET", "/.well-known/matrix/support", null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void profilesAreShownToThoseWhoShareARoom() {
        String ada = AuthServer.name();
        String bob = AuthServer.name();
        String token = server.tokenOfNewUser(ALPHA, ada);
        server.tokenOfNewUser(ALPHA, bob);
        String path = PROFILE + ALPHA.user(bob);

        assertThat(server.call(ALPHA, "GET", path, null).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, token, "GET", path, null).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, token, "GET", path + "/displayname", null).refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, token, "GET", PROFILE + "@nobody:alpha.example", null)
                        .refusal())
                .as("unknown users have the same answer")
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, token, "GET", PROFILE + ALPHA.user(ada), null)
                        .status())
                .as("one's own")
                .isEqualTo(200);

        SHARING.add(ALPHA.user(ada) + " " + ALPHA.user(bob));
        assertThat(server.call(ALPHA, token, "GET", path, null).text("displayname"))
                .isEqualTo(bob);
        assertThat(server.call(ALPHA, token, "GET", path + "/displayname", null).status())
                .isEqualTo(200);
    }

    @Test
    void administratorsSeeAllProfiles() {
        String root = AuthServer.name();
        String bob = AuthServer.name();
        String token = server.tokenOfNewUser(ALPHA, root);
        server.tokenOfNewUser(ALPHA, bob);
        assertThat(server.internal(
                                "POST",
                                "/internal/admin/promote",
                                "{\"tenant\":1,\"user\":\"%s\",\"admin\":true}".formatted(ALPHA.user(root)))
                        .status())
                .isEqualTo(200);

        assertThat(server.call(ALPHA, token, "GET", PROFILE + ALPHA.user(bob), null)
                        .status())
                .isEqualTo(200);
        assertThat(server.call(ALPHA, token, "GET", PROFILE + "@nobody:alpha.example", null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void otherTenantsShowTheirs() {
        String bob = AuthServer.name();
        server.tokenOfNewUser(BETA, bob);

        assertThat(server.call(BETA, "GET", PROFILE + BETA.user(bob), null).status())
                .isEqualTo(200);
    }

    @Test
    void capabilitiesSayWhetherAddressesMayBeChanged() {
        assertThat(changesOf(ALPHA)).isTrue();
        assertThat(changesOf(BETA)).isFalse();
    }

    @Test
    void capabilitiesNameTheRoomVersionOfTheTenant() {
        var versions = "\"available\":{\"10\":\"stable\",\"11\":\"stable\",\"12\":\"stable\"}}";
        assertThat(capabilities(ALPHA).path("m.room_versions"))
                .isEqualTo(JsonMapper.shared().readTree("{\"default\":\"11\"," + versions));
        assertThat(capabilities(BETA).path("m.room_versions"))
                .isEqualTo(JsonMapper.shared().readTree("{\"default\":\"12\"," + versions));
    }

    private static JsonNode capabilities(Tenant tenant) {
        String token = server.tokenOfNewUser(tenant, AuthServer.name());
        return server.call(tenant, token, "GET", "/_api/client/v3/capabilities", null)
                .json()
                .path("capabilities");
    }

    private static boolean changesOf(Tenant tenant) {
        return capabilities(tenant).path("m.3pid_changes").path("enabled").booleanValue();
    }
}
