// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Reading the history of rooms through the gateway: pages, the context of an event, and the event at a time. */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryE2E {
    private final Rookery rookery;
    private List<Http> prefixes;
    private Session ada;
    private Session bob;
    private String room;
    private String secret;
    private String hidden;
    private final List<String> sent = new ArrayList<>();

    HistoryE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void talk() throws IOException {
        var http = rookery.http();
        prefixes = List.of(http, Http.to(rookery.site().withPrefix(TenantAddress.MATRIX)));
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
        room = ada.createRoom(Map.of("preset", "public_chat"));
        secret = ada.createRoom(Map.of("preset", "private_chat"));
        hidden = ada.say(secret, "secret");
        bob.join(room);
        for (int i = 0; i < 12; i++) {
            sent.add(ada.say(room, "line " + i));
        }
    }

    /** Each row has Bob's request and the expected response; Bob is in {room} and not in {secret}. */
    @ParameterizedTest
    @CsvFileSource(resources = "history.txt", delimiter = '|', quoteCharacter = '`')
    void badQuestionIsAnsweredAsTheContractSays(String method, String path, String body, int status, String errcode)
            throws IOException {
        for (var http : prefixes) {
            var answer = http.raw(method, filled(path), Map.of("Authorization", "Bearer " + bob.token()), filled(body));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            assertThat(answer.errcode()).as(answer.toString()).isEqualTo(errcode);
        }
        var nobody = prefixes.getFirst().raw(method, filled(path), Map.of(), filled(body));
        assertThat(nobody.status()).as(nobody.toString()).isIn(401, 405);
    }

    private String filled(String text) {
        return text.replace("{room}", Paths.encoded(room))
                .replace("{secret}", Paths.encoded(secret))
                .replace("{hidden}", Paths.encoded(hidden))
                .replace("{event}", Paths.encoded(sent.get(5)));
    }

    @Test
    void pagesLeadThroughTheRoomInBothDirections() throws IOException {
        for (var dir : List.of("b", "f")) {
            var read = new ArrayList<String>();
            String from = null;
            do {
                var page = bob.messages(room, dir, from, null, 5);
                messages(page.path("chunk")).forEach(event -> read.add(id(event)));
                from = page.has("end") ? page.path("end").asString() : null;
            } while (from != null);
            assertThat(dir.equals("b") ? read.reversed() : read).isEqualTo(sent);
        }
    }

    @Test
    void contextLeadsOnInBothDirections() throws IOException {
        var path = Paths.room(room, "/context/" + Paths.encoded(sent.get(5)) + "?limit=3");
        for (var http : prefixes) {
            var context = bob.through(http).get(path);
            assertThat(id(context.path("event"))).isEqualTo(sent.get(5));
            assertThat(context.path("event").path("room_id").asString()).isEqualTo(room);
            assertThat(ids(context.path("events_before"))).containsExactly(sent.get(4));
            assertThat(ids(context.path("events_after"))).containsExactly(sent.get(6), sent.get(7));
            assertThat(context.path("state").size()).isPositive();
            var earlier = bob.messages(room, "b", context.path("start").asString(), null, 2);
            assertThat(ids(earlier.path("chunk"))).containsExactly(sent.get(3), sent.get(2));
            var later = bob.messages(room, "f", context.path("end").asString(), null, 2);
            assertThat(ids(later.path("chunk"))).containsExactly(sent.get(8), sent.get(9));
        }
    }

    @Test
    void momentLeadsToTheEventNearestToIt() throws IOException {
        var event = bob.get(Paths.room(room, "/event/" + Paths.encoded(sent.get(5))));
        long ts = event.path("origin_server_ts").longValue();
        var path = "/v1/rooms/" + Paths.encoded(room) + "/timestamp_to_event?dir=";
        for (var http : prefixes) {
            for (var dir : List.of("f", "b")) {
                var nearest = bob.through(http).get(path + dir + "&ts=" + ts);
                assertThat(nearest.path("origin_server_ts").longValue()).isEqualTo(ts);
                assertThat(nearest.path("event_id").asString()).startsWith("$");
            }
            assertThat(bob.through(http)
                            .get(path + "b&ts=99999999999999")
                            .path("event_id")
                            .asString())
                    .isEqualTo(newest());
        }
    }

    private String newest() throws IOException {
        return id(bob.messages(room, "b", null, null, 1).path("chunk").get(0));
    }

    @Test
    void whoIsIgnoredIsNotReadFromTheNextAnswerOn() throws IOException {
        var carl = People.newcomer(prefixes.getFirst(), "carl");
        var reader = People.newcomer(prefixes.getFirst(), "dora");
        var place = ada.createRoom(Map.of("preset", "public_chat"));
        carl.join(place);
        reader.join(place);
        var kept = ada.say(place, "hello");
        var noise = carl.say(place, "noise");
        var around = Paths.room(place, "/context/" + Paths.encoded(kept));
        assertThat(ids(reader.get(around).path("events_after"))).containsExactly(noise);
        reader.put(
                "/v3/user/" + Paths.encoded(reader.userId()) + "/account_data/m.ignored_user_list",
                Map.of("ignored_users", Map.of(carl.userId(), Map.of())));
        assertThat(ids(reader.get(around).path("events_after"))).isEmpty();
        assertThat(ids(reader.messages(place, "b", null, null, 100).path("chunk")))
                .contains(kept)
                .doesNotContain(noise);
        assertThat(reader.call("GET", Paths.room(place, "/context/" + Paths.encoded(noise)), null)
                        .errcode())
                .isEqualTo("M_NOT_FOUND");
    }

    @Test
    void syncTokenIsAPlaceToReadFrom() throws IOException {
        var eve = People.newcomer(prefixes.getFirst(), "eve");
        eve.join(room);
        var since = eve.sync(SyncQuery.initial()).path("next_batch").asString();
        assertThat(ids(eve.messages(room, "b", since, null, 100).path("chunk"))).containsAll(sent);
        assertThat(eve.messages(room, "f", since, null, 100).path("chunk").size())
                .isZero();
    }

    private static List<JsonNode> messages(JsonNode events) {
        return events.valueStream()
                .filter(event -> event.path("type").asString().equals("m.room.message"))
                .toList();
    }

    private static List<String> ids(JsonNode events) {
        return events.valueStream().map(HistoryE2E::id).toList();
    }

    private static String id(JsonNode event) {
        return event.path("event_id").asString();
    }
}
