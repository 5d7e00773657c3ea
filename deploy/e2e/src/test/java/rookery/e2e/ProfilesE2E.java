// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Profiles, account data and ignored users through the gateway (contract.md 13.2, 13.3). */
@OnOneJvm
class ProfilesE2E {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session grace;

    ProfilesE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        grace = People.newcomer(http, "grace");
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void newNameReachesEveryRoom() throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            rooms.add(People.roomOf(grace, ada));
        }
        for (String name : List.of("Ada", "Ada L.", "Ada Lovelace")) {
            ada.put(profile(ada, "/displayname"), Map.of("displayname", name));
        }
        ada.put(profile(ada, "/avatar_url"), Map.of("avatar_url", "mxc://localhost/ada"));
        for (String room : rooms) {
            assertThat(Deadline.in(LONG)
                            .until(Duration.ofMillis(100), () -> isMember(room, "Ada Lovelace", "mxc://localhost/ada")))
                    .isTrue();
        }
        var late = grace.createRoom(Map.of("preset", "private_chat", "invite", List.of(ada.userId())));
        ada.join(late);
        assertThat(isMember(late, "Ada Lovelace", "mxc://localhost/ada")).isTrue();
        assertThat(http.call("GET", profile(ada, ""), null, null)
                        .ok()
                        .path("displayname")
                        .asString())
                .isEqualTo("Ada Lovelace");
    }

    @Test
    void fieldsOfOnesOwnAreKept() throws IOException {
        var path = profile(ada, "/org.example.pronouns");
        ada.put(path, Map.of("org.example.pronouns", "she/her"));
        assertThat(grace.get(path).path("org.example.pronouns").asString()).isEqualTo("she/her");
        assertThat(ada.call("DELETE", path, null).text()).isEqualTo("{}");
        assertThat(grace.call("GET", path, null).errcode()).isEqualTo("M_NOT_FOUND");
        ada.put(profile(ada, "/displayname"), Map.of("displayname", ""));
        assertThat(grace.get(profile(ada, "")).has("displayname")).isFalse();
    }

    @Test
    void tagsAreDataOfTheRoom() throws IOException {
        var room = People.roomOf(grace, ada);
        var path = "/v3/user/%s/rooms/%s/tags".formatted(Paths.encoded(ada.userId()), Paths.encoded(room));
        var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
        ada.put(path + "/m.favourite", Map.of("order", 0.25));
        ada.put(path + "/u.work", Map.of());
        assertThat(ada.get(path).toString()).isEqualTo("{\"tags\":{\"m.favourite\":{\"order\":0.25},\"u.work\":{}}}");
        assertThat(ada.call("DELETE", path + "/u.work", null).text()).isEqualTo("{}");
        var news = ada.sync(SyncQuery.since(since));
        assertThat(news.path("rooms")
                        .path("join")
                        .path(room)
                        .path("account_data")
                        .toString())
                .contains("m.tag", "m.favourite")
                .doesNotContain("u.work");
    }

    @Test
    void whoIsIgnoredIsSilentFromTheNextAnswer() throws IOException {
        var room = People.roomOf(grace, ada);
        var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
        ada.put(
                "/v3/user/%s/account_data/m.ignored_user_list".formatted(Paths.encoded(ada.userId())),
                Map.of("ignored_users", Map.of(grace.userId(), Map.of())));
        grace.say(room, "can you hear me?");
        grace.put(Paths.room(room, "/state/m.room.topic"), Map.of("topic", "Silence"));
        var invitation = grace.createRoom(Map.of("preset", "private_chat", "invite", List.of(ada.userId())));
        var news = ada.sync(SyncQuery.since(since));
        assertThat(Session.timeline(news, room).stream().map(ProfilesE2E::type)).containsExactly("m.room.topic");
        assertThat(news.path("rooms").path("invite").has(invitation)).isFalse();
        assertThat(ada.messages(room, "b", null, null, 100)
                        .path("chunk")
                        .valueStream()
                        .map(ProfilesE2E::type))
                .contains("m.room.topic")
                .doesNotContain("m.room.message");
    }

    private boolean isMember(String room, String name, String avatar) {
        try {
            var member = grace.get(Paths.room(room, "/state/m.room.member/" + Paths.encoded(ada.userId())));
            return member.path("displayname").asString("").equals(name)
                    && member.path("avatar_url").asString("").equals(avatar)
                    && member.path("membership").asString().equals("join");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(JsonNode event) {
        return event.path("type").asString();
    }

    private static String profile(Session user, String rest) {
        return "/v3/profile/" + Paths.encoded(user.userId()) + rest;
    }
}
