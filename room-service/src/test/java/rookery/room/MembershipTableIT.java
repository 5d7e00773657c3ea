// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import rookery.model.event.RoomVersion;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;

/** Every change of a membership that a user may ask for, as {@code membership.txt} has it, in each room version (contract.md 8.3). */
@ParameterizedClass
@EnumSource(RoomVersion.class)
class MembershipTableIT {
    private static final List<String> BEFORE = List.of("none", "leave", "invite", "join", "ban", "knock");
    private static final String TARGET = "@tim:example.org";
    private static final String TARGETS = "{\"user_id\":\"" + TARGET + "\"}";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;
    private static Client tim;
    private static String lobby;
    private static String elsewhere;

    private final RoomVersion version;

    MembershipTableIT(RoomVersion version) {
        this.version = version;
    }

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        tim = server.as("tim");
        lobby = ada.createRoom("{\"preset\":\"public_chat\"}");
        tim.post("/rooms/" + lobby + "/join", "{}");
        elsewhere = ada.createRoom("{}");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/rookery/room/membership/membership.txt", delimiter = '|')
    void cellsOfTheTableHold(String line) {
        var words = line.trim().split(" +", -1);
        var differences = new ArrayList<String>();
        for (int i = 0; i < BEFORE.size(); i++) {
            var cell = new Cell(version, words[0], words[1], words[2], BEFORE.get(i), words[3 + i]);
            String happened = cell.happened();
            if (!happened.equals(cell.expected)) {
                differences.add(cell + " but " + happened);
            }
        }
        assertThat(differences).isEmpty();
    }

    private record Cell(RoomVersion version, String action, String actor, String rule, String before, String expected) {
        String happened() {
            String room = room();
            bring(room);
            ok(ada.put("/rooms/" + room + "/state/m.room.join_rules", joinRules()));
            var was = member(room);
            var answer = act(room);
            var is = member(room);
            boolean appended = !is.text("event_id").equals(was.text("event_id"));
            if (answer.status() != 200) {
                return appended ? "an event despite " + answer : refusal(answer);
            }
            return appended ? is.json().path("content").path("membership").asString() + "*" : "=";
        }

        /** Actors besides Ada are members with the power in their name. */
        private String room() {
            String creator = version.hasUnboundedCreators() ? "" : "\"@ada:example.org\":100,";
            String users = creator + "\"@out:example.org\":100,\"@equal:example.org\":50";
            String equal = actor.equals("equal") ? ",\"" + TARGET + "\":50" : "";
            String room = ada.createRoom("{\"room_version\":\"" + version.id
                    + "\",\"preset\":\"public_chat\",\"power_level_content_override\":{\"users\":{" + users + equal
                    + "}}}");
            for (String member : List.of("equal", "weak")) {
                if (member.equals(actor)) {
                    ok(server.as(member).post("/rooms/" + room + "/join", "{}"));
                }
            }
            return room;
        }

        private void bring(String room) {
            String path = "/rooms/" + room;
            switch (before) {
                case "leave" -> {
                    ok(tim.post(path + "/join", "{}"));
                    ok(tim.post(path + "/leave", "{}"));
                }
                case "invite" -> ok(ada.post(path + "/invite", TARGETS));
                case "join" -> ok(tim.post(path + "/join", "{}"));
                case "ban" -> ok(ada.post(path + "/ban", TARGETS));
                case "knock" -> {
                    ok(ada.put(path + "/state/m.room.join_rules", "{\"join_rule\":\"knock\"}"));
                    ok(tim.post("/knock/" + room, "{}"));
                }
                default -> assertThat(before).isEqualTo("none");
            }
        }

        private String joinRules() {
            int dash = rule.indexOf('-');
            if (dash < 0) {
                return "{\"join_rule\":\"" + rule + "\"}";
            }
            String condition = rule.endsWith("-met") ? lobby : elsewhere;
            return "{\"join_rule\":\"" + rule.substring(0, dash)
                    + "\",\"allow\":[{\"type\":\"org.example.other\"},{\"type\":\"m.room_membership\",\"room_id\":\""
                    + condition + "\"}]}";
        }

        private Answer act(String room) {
            var client = switch (actor) {
                case "self" -> tim;
                case "power" -> ada;
                case "outside" -> server.as("out");
                default -> server.as(actor);
            };
            if (action.startsWith("set-")) {
                return client.put(
                        "/rooms/" + room + "/state/m.room.member/" + TARGET,
                        "{\"membership\":\"" + action.substring("set-".length()) + "\"}");
            }
            return switch (action) {
                case "knock" -> client.post("/knock/" + room, "{}");
                case "join", "leave" -> client.post("/rooms/" + room + "/" + action, "{}");
                default -> client.post("/rooms/" + room + "/" + action, TARGETS);
            };
        }

        private static Answer member(String room) {
            return ada.get("/rooms/" + room + "/state/m.room.member/" + TARGET + "?format=event");
        }

        private static String refusal(Answer answer) {
            return switch (answer.status() + " " + answer.errcode()) {
                case "403 M_FORBIDDEN" -> "403";
                case "403 M_BAD_STATE" -> "state";
                default -> answer.toString();
            };
        }

        private static void ok(Answer answer) {
            assertThat(answer.status()).as(Objects.toString(answer)).isEqualTo(200);
        }
    }
}
