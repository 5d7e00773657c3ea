// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;

/** State and members of rooms and the right to read them, through the gateway (contract.md 8.1, 8.2). */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MembersE2E {
    private final Rookery rookery;
    private final Map<String, Session> people = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private Http http;

    MembersE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void prepare() throws IOException {
        http = rookery.http();
        for (String name : List.of("ada", "bob", "carl", "dora", "grace", "eve")) {
            people.put(name, People.newcomer(http, name));
        }
        var ada = person("ada");
        String taken = People.name("taken");
        var room = ada.createRoom(Map.of("preset", "private_chat", "name", "Coffee", "room_alias_name", taken));
        for (String name : List.of("bob", "carl", "dora")) {
            ada.invite(room, person(name).userId());
            person(name).join(room);
        }
        places.put("early", ada.sync(SyncQuery.initial()).path("next_batch").asString());
        person("carl").leave(room);
        ada.put(Paths.room(room, "/state/m.room.name"), Map.of("name", "Tea"));
        ada.invite(room, person("grace").userId());
        ada.post(Paths.room(room, "/ban"), Map.of("user_id", person("dora").userId()));
        places.put("room", room);
        places.put(
                "open",
                ada.createRoom(Map.of(
                        "initial_state",
                        List.of(Map.of(
                                "type",
                                "m.room.history_visibility",
                                "content",
                                Map.of("history_visibility", "world_readable"))))));
        places.put("nowhere", "!AAAAAAAAAAAAAAAAAA:localhost");
        places.put("taken", taken);
    }

    @AfterAll
    void close() {
        http.close();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "members.txt", delimiter = '|', quoteCharacter = '`')
    void readingIsAnsweredAsTheContractSays(String who, String request, int status, String expected)
            throws IOException {
        var words = request.split(" ", -1);
        var answer = person(who).call(words[0], filled(words[1], true), null);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status == 200) {
            assertThat(answer.text()).contains(filled(expected, false));
        } else {
            assertThat(answer.errcode()).as(answer.toString()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "create-room.txt", delimiter = '|', quoteCharacter = '`')
    void creatingIsAnsweredAsTheContractSays(String body, int status, String expected) throws IOException {
        places.put("fresh", People.name("fresh"));
        var ada = person("ada");
        int before = ada.get("/v3/joined_rooms").path("joined_rooms").size();
        var answer = http.raw(
                "POST", "/v3/createRoom", Map.of("Authorization", "Bearer " + ada.token()), filled(body, false));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status != 200) {
            assertThat(answer.errcode()).as(answer.toString()).isEqualTo(expected);
            assertThat(ada.get("/v3/joined_rooms").path("joined_rooms").size()).isEqualTo(before);
            return;
        }
        var words = filled(expected, false).split(" ", 3);
        var key = words[1].equals("\"\"") ? "" : "/" + Paths.encoded(words[1]);
        var state =
                ada.call("GET", Paths.room(answer.json().path("room_id").asString(), "/state/" + words[0] + key), null);
        assertThat(state.text()).contains(words[2]);
    }

    @Test
    void membersAreChosenByMembership() throws IOException {
        assertThat(members("")).containsExactlyInAnyOrder("ada", "bob", "carl", "dora", "grace");
        assertThat(members("?membership=join")).containsExactlyInAnyOrder("ada", "bob");
        assertThat(members("?membership=invite")).containsExactly("grace");
        assertThat(members("?membership=leave")).containsExactly("carl");
        assertThat(members("?membership=ban")).containsExactly("dora");
        assertThat(members("?membership=knock")).isEmpty();
        assertThat(members("?not_membership=join")).containsExactlyInAnyOrder("carl", "dora", "grace");
        assertThat(members("?membership=join&not_membership=join")).isEmpty();
        assertThat(members("?membership=join&not_membership=leave")).containsExactlyInAnyOrder("ada", "bob");
    }

    @Test
    void membersAreThoseOfTheGivenPlace() throws IOException {
        var early = Paths.encoded(Objects.requireNonNull(places.get("early")));
        assertThat(members("?membership=join&at=" + early)).containsExactlyInAnyOrder("ada", "bob", "carl", "dora");
        assertThat(members("?not_membership=join&at=" + early)).isEmpty();
    }

    @Test
    void joinedMembersAreShownWithTheirNames() throws IOException {
        var joined = person("bob")
                .get(Paths.room(Objects.requireNonNull(places.get("room")), "/joined_members"))
                .path("joined");
        assertThat(joined.propertyNames())
                .containsExactlyInAnyOrder(person("ada").userId(), person("bob").userId());
        assertThat(joined.path(person("ada").userId()).has("display_name")).isTrue();
        assertThat(person("bob")
                        .get("/v3/joined_rooms")
                        .path("joined_rooms")
                        .valueStream()
                        .map(id -> id.asString()))
                .containsExactly(places.get("room"));
    }

    private List<String> members(String query) throws IOException {
        var chunk = person("ada")
                .get(Paths.room(Objects.requireNonNull(places.get("room")), "/members" + query))
                .path("chunk");
        return chunk.valueStream()
                .map(event -> event.path("state_key").asString())
                .map(id -> id.substring(1, id.lastIndexOf('-')))
                .toList();
    }

    private Session person(String name) {
        return Objects.requireNonNull(people.get(name));
    }

    private String filled(String text, boolean inPath) {
        String filled = text;
        for (var place : places.entrySet()) {
            filled = filled.replace(
                    "{" + place.getKey() + "}", inPath ? Paths.encoded(place.getValue()) : place.getValue());
        }
        for (var one : people.entrySet()) {
            String id = one.getValue().userId();
            filled = filled.replace("{" + one.getKey() + "}", inPath ? Paths.encoded(id) : id);
        }
        return filled;
    }
}
