// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Administration of accounts and its effects, through the gateway (contract.md 5). */
@OnOneJvm
class AdministrationE2E {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Rookery rookery;
    private Http http;
    private Session root;
    private Session ada;

    AdministrationE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        root = Steps.administrator(rookery, http);
        ada = People.newcomer(http, "ada");
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void gateIsClosedBeforeAnythingIsLookedUp() throws IOException {
        for (String user : List.of(root.userId(), "@nobody:localhost", "nonsense")) {
            for (String path : List.of(
                    "GET /v3/admin/whois/%s",
                    "POST /v3/admin/users/%s/deactivate",
                    "POST /v3/admin/users/%s/block",
                    "POST /v3/admin/users/%s/unblock")) {
                var words = path.formatted(Paths.encoded(user)).split(" ", 2);
                assertThat(ada.call(words[0], words[1], null).errcode()).isEqualTo("M_FORBIDDEN");
                assertThat(http.call(words[0], words[1], null, null).errcode()).isEqualTo("M_MISSING_TOKEN");
            }
        }
    }

    @Test
    void badTargetsAreRefused() throws IOException {
        assertThat(administer("nonsense", "block")).isEqualTo("400 M_INVALID_PARAM");
        assertThat(administer("@ada:elsewhere.example", "block")).isEqualTo("400 M_INVALID_PARAM");
        for (String action : List.of("block", "unblock", "deactivate")) {
            assertThat(administer("@nobody:localhost", action)).isEqualTo("404 M_NOT_FOUND");
        }
        assertThat(administer(root.userId(), "block")).isEqualTo("403 M_FORBIDDEN");
        assertThat(root.call("GET", "/v3/admin/whois/@nobody:localhost", null).errcode())
                .isEqualTo("M_NOT_FOUND");
    }

    @Test
    void whoIsBlockedMayLogOutAndNothingElse() throws Exception {
        var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var poll = threads.submit(() -> ada.trySync(SyncQuery.since(since).waiting(LONG)));
            assertThat(administer(ada.userId(), "block")).isEqualTo("200 ");
            assertThat(poll.get().status()).isIn(200, 401);
        }
        var refused = ada.call("GET", "/v3/joined_rooms", null);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.errcode()).isEqualTo("M_USER_LOCKED");
        assertThat(refused.json().path("soft_logout").asBoolean()).isTrue();
        assertThat(Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of()).errcode())
                .isEqualTo("M_USER_LOCKED");
        assertThat(administer(ada.userId(), "block")).isEqualTo("200 ");

        assertThat(administer(ada.userId(), "unblock")).isEqualTo("200 ");
        assertThat(ada.get("/v3/joined_rooms").path("joined_rooms").size()).isZero();
        assertThat(administer(ada.userId(), "block")).isEqualTo("200 ");
        ada.logout();
        assertThat(ada.call("GET", "/v3/joined_rooms", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
    }

    @Test
    void suspendedUserReadsLeavesRedactsAndLogsOutAndNothingElse() throws IOException {
        var grace = People.newcomer(http, "grace");
        var room = People.roomOf(grace, ada);
        var own = ada.say(room, "mine");
        var others = grace.say(room, "hers");
        var suspend = "/v1/admin/suspend/" + Paths.encoded(ada.userId());
        for (boolean suspended : new boolean[] {true, false, true}) {
            assertThat(root.call("PUT", suspend, Map.of("suspended", suspended)).text())
                    .isEqualTo("{\"suspended\":%s}".formatted(suspended));
            assertThat(ada.call("POST", "/v3/createRoom", Map.of()).errcode())
                    .as("the next request")
                    .isEqualTo(suspended ? "M_USER_SUSPENDED" : "");
            assertThat(root.get(suspend).path("suspended").booleanValue()).isEqualTo(suspended);
        }

        var second = Session.login(http, ada.userId());
        for (var device : List.of(ada, second)) {
            var message = Map.of("msgtype", "m.text", "body", "more");
            assertThat(device.send(room, "txn", message).errcode()).isEqualTo("M_USER_SUSPENDED");
            assertThat(device.sync(SyncQuery.initial())
                            .path("rooms")
                            .path("join")
                            .has(room))
                    .isTrue();
            assertThat(device.messages(room, "b", null, null, 5).path("chunk").isEmpty())
                    .isFalse();
            assertThat(device.call("PUT", Paths.room(room, "/redact/" + Paths.encoded(others) + "/r"), Map.of())
                            .errcode())
                    .isEqualTo("M_USER_SUSPENDED");
        }
        assertThat(ada.call("PUT", Paths.room(room, "/redact/" + Paths.encoded(own) + "/r"), Map.of())
                        .status())
                .isEqualTo(200);
        ada.leave(room);
        second.logout();
        assertThat(grace.call("PUT", suspend, Map.of("suspended", false)).errcode())
                .isEqualTo("M_FORBIDDEN");
    }

    @Test
    void accountsAreLockedByTheEndpointOfTheStandard() throws IOException {
        var lock = "/v1/admin/lock/" + Paths.encoded(ada.userId());
        for (boolean locked : new boolean[] {true, false}) {
            assertThat(root.call("PUT", lock, Map.of("locked", locked)).text())
                    .isEqualTo("{\"locked\":%s}".formatted(locked));
            assertThat(root.get(lock).path("locked").booleanValue()).isEqualTo(locked);
            assertThat(ada.call("GET", "/v3/joined_rooms", null).errcode()).isEqualTo(locked ? "M_USER_LOCKED" : "");
        }
    }

    @Test
    void administratorsGiveNewPasswords() throws Exception {
        var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
        var reset = path(ada.userId(), "password");
        var password = Map.of("new_password", "another fine password");
        assertThat(ada.call("POST", path(root.userId(), "password"), password).errcode())
                .isEqualTo("M_FORBIDDEN");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var poll = threads.submit(() -> ada.trySync(SyncQuery.since(since).waiting(LONG)));
            assertThat(root.call("POST", reset, password).text()).isEqualTo("{}");
            assertThat(poll.get().status()).isIn(200, 401);
        }
        assertThat(ada.call("GET", "/v3/joined_rooms", null).errcode())
                .as("the next request")
                .isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of()).errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(Steps.login(http, ada.userId(), "another fine password", Map.of())
                        .isOk())
                .isTrue();
        assertThat(root.call("POST", path(root.userId(), "password"), password).errcode())
                .as("the own password")
                .isEqualTo("M_FORBIDDEN");
        assertThat(root.call("POST", path("@nobody:localhost", "password"), password)
                        .errcode())
                .isEqualTo("M_NOT_FOUND");
        assertThat(root.call("POST", reset, Map.of("new_password", "short")).errcode())
                .isEqualTo("M_WEAK_PASSWORD");
    }

    @Test
    void whoisShowsDevicesAndWhereTheyAre() throws IOException {
        ada.get("/v3/account/whoami");
        var whois = root.get("/v3/admin/whois/" + Paths.encoded(ada.userId()));
        assertThat(whois.path("user_id").asString()).isEqualTo(ada.userId());
        var device = whois.path("devices").path(ada.deviceId());
        assertThat(device.propertyNames())
                .containsExactlyInAnyOrder("device_id", "display_name", "last_seen_ts", "last_seen_ip", "sessions");
        assertThat(device.path("last_seen_ip").asString()).isEqualTo("127.0.0.1");
        var connection = device.path("sessions").path(0).path("connections").path(0);
        assertThat(connection.path("ip").asString()).isEqualTo("127.0.0.1");
        assertThat(connection.path("user_agent").asString()).contains("Java");
    }

    @Test
    void whoIsDeactivatedLeavesEverything() throws Exception {
        var grace = People.newcomer(http, "grace");
        var room = People.roomOf(grace, ada);
        var invited = grace.createRoom(Map.of("preset", "private_chat"));
        grace.invite(invited, ada.userId());
        for (int i = 0; i < 2; i++) { // a repeat is the same
            assertThat(root.post(path(ada.userId(), "deactivate"), Map.of())
                            .path("id_server_unbind_result")
                            .asString())
                    .isEqualTo("no-support");
        }
        assertThat(ada.call("GET", "/v3/account/whoami", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of()).errcode())
                .isEqualTo("M_USER_DEACTIVATED");
        var name = ada.userId().substring(1, ada.userId().indexOf(':'));
        assertThat(http.call("GET", "/v3/register/available?username=" + name, null, null)
                        .errcode())
                .isEqualTo("M_USER_IN_USE");
        for (String left : List.of(room, invited)) {
            var member = Paths.room(left, "/state/m.room.member/" + Paths.encoded(ada.userId()));
            assertThat(Deadline.in(LONG).until(Duration.ofMillis(100), () -> isLeave(grace, member)))
                    .isTrue();
        }
        assertThat(administer(ada.userId(), "block")).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void peopleMayDeactivateThemselves() throws IOException {
        var answer = Steps.withPassword(ada, "POST", "/v3/account/deactivate", Map.of("erase", true));
        assertThat(answer.ok().path("id_server_unbind_result").asString()).isEqualTo("no-support");
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(401);
    }

    private static boolean isLeave(Session reader, String path) {
        try {
            return reader.get(path).path("membership").asString().equals("leave");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String administer(String user, String action) throws IOException {
        var answer = root.call("POST", path(user, action), null);
        return answer.status() + " " + answer.errcode();
    }

    private static String path(String user, String action) {
        return "/v3/admin/users/%s/%s".formatted(Paths.encoded(user), action);
    }

    @Test
    void administratorsMakeOthersAdministratorsAndTakeItBack() throws IOException {
        var root = Steps.administrator(rookery, http);
        var ada = People.newcomer(http, "ada");
        for (boolean admin : new boolean[] {true, true, false, false}) {
            assertThat(root.call("PUT", admin(ada.userId()), Map.of("admin", admin))
                            .text())
                    .isEqualTo("{}");
            assertThat(ada.call("GET", "/v3/admin/rate-limits", null).isOk()).isEqualTo(admin);
        }
        assertThat(ada.call("PUT", admin(ada.userId()), Map.of("admin", true)).errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(root.call("PUT", admin(ada.userId()), Map.of()).errcode()).isEqualTo("M_MISSING_PARAM");
    }

    private static String admin(String user) {
        return "/v3/admin/users/" + Paths.encoded(user) + "/admin";
    }
}
