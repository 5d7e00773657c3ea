// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** What clients ask for beside the interface, and would show an error about (contract.md 8.1, 13.6). */
@OnOneJvm
class ClientQuestionsE2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;

    ClientQuestionsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static String text(Answer answer) {
        return answer.status() + " " + answer.errcode();
    }

    private static String summary(String roomOrAlias) {
        return "/v1/room_summary/" + Paths.encoded(roomOrAlias);
    }

    /** The shape of the interface; the content is tested in the services. */
    @ParameterizedTest
    @ValueSource(strings = {"/health", "/health/live", "/stats"})
    void questionsOfOperatorsNeedNoToken(String path) throws IOException {
        assertThat(http.call("GET", path, null, null).ok().isEmpty()).isFalse();
    }

    @Test
    void filterIsSavedUnderTheInterfacesPath() throws IOException {
        var saved = ada.call("POST", "/v3/filter", Map.of("room", Map.of("timeline", Map.of("limit", 3))))
                .ok();
        assertThat(saved.path("filter_id").asString()).isNotEmpty();
        assertThat(saved.path("room").path("timeline").path("limit").asInt()).isEqualTo(3);
    }

    @Test
    void registrationByPhoneBeginsWithACode() throws IOException {
        var body = Map.of(
                "country", "GB", "phone_number", "07400123499", "client_secret", "secret.of.bob", "send_attempt", 1);
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var begun = other.call("POST", "/v3/register/msisdn/requestToken", null, body)
                    .ok();
            assertThat(begun.path("sid").asString()).isNotEmpty();
        }
    }

    @Test
    void addressInABrowserShowsAPage() throws IOException {
        try (var browser = Http.to(rookery.site().withPrefix(""))) {
            var page = browser.call("GET", "/", null, null);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
            assertThat(page.text()).contains("Rookery", "homeserver");
        }
    }

    @Test
    void whatIsNotOfferedIsSaidWellFormed() throws IOException {
        for (String path : new String[] {"/v3/voip/turnServer", "/v3/thirdparty/protocols"}) {
            assertThat(ada.get(path).toString()).isEqualTo("{}");
            assertThat(text(http.call("GET", path, null, null))).isEqualTo("401 M_MISSING_TOKEN");
        }
    }

    @Test
    void roomsAreSummedUpForWhoMayComeIn() throws IOException {
        var name = People.name("summary");
        var open = ada.createRoom(Map.of("preset", "public_chat", "name", "Tea", "room_alias_name", name));
        var closed = ada.createRoom(Map.of("name", "Secret"));
        var mine = ada.get(summary(closed));
        assertThat(mine.path("membership").asString()).isEqualTo("join");
        assertThat(mine.path("name").asString()).isEqualTo("Secret");
        var seen = bob.get(summary("#" + name + ":localhost"));
        assertThat(seen.path("room_id").asString()).isEqualTo(open);
        assertThat(seen.path("join_rule").asString()).isEqualTo("public");
        assertThat(seen.path("num_joined_members").asInt()).isEqualTo(1);
        assertThat(seen.has("membership")).isFalse();
        assertThat(seen.has("children_state")).isFalse();
        assertThat(text(bob.call("GET", summary(closed), null))).isEqualTo("404 M_NOT_FOUND");
        assertThat(text(bob.call("GET", summary("!nothing:localhost"), null))).isEqualTo("404 M_NOT_FOUND");
        assertThat(text(bob.call("GET", summary("#nothing-at-all:localhost"), null)))
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void joinKeepsWhatAClientAddsAndNothingThatSaysWhoComesIn() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat"));
        bob.post(
                Paths.room(room, "/join"),
                Map.of("org.example.mood", "good", "displayname", "Not Bob", "membership", "ban", "reason", "why not"));
        var member = Paths.room(room, "/state/m.room.member/" + Paths.encoded(bob.userId()));
        var content = bob.get(member);
        assertThat(content.path("org.example.mood").asString()).isEqualTo("good");
        assertThat(content.path("membership").asString()).isEqualTo("join");
        assertThat(content.path("reason").asString()).isEqualTo("why not");
        assertThat(content.path("displayname").asString()).isNotEqualTo("Not Bob");
        var avatar = Map.of("membership", "join", "avatar_url", "https://example.org/me.png");
        assertThat(text(bob.call("PUT", member, avatar))).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void deviceWithoutANameIsCalledWhatItsClientSaysItIs() throws IOException {
        var body =
                "{\"type\":\"m.login.password\",\"identifier\":{\"type\":\"m.id.user\",\"user\":\"%s\"},\"password\":\"%s\"}"
                        .formatted(bob.userId(), Steps.PASSWORD);
        var browser = Map.of("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
        var device = http.raw("POST", "/v3/login", browser, body)
                .ok()
                .path("device_id")
                .asString();
        assertThat(bob.get("/v3/devices/" + device).path("display_name").asString())
                .isEqualTo("Firefox on Linux");
    }
}
