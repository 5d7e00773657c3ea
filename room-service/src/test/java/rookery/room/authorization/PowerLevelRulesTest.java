// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.authorization.TestRoom.ADA;
import static rookery.room.authorization.TestRoom.BOB;
import static rookery.room.authorization.TestRoom.EVE;
import static rookery.room.authorization.TestRoom.MOD;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import rookery.model.event.Membership;
import rookery.model.event.RoomVersion;

/** Rule 8 of contract.md 9.4 for each room version: a sender cannot give, take or change power above the sender's own. */
@ParameterizedClass
@EnumSource(RoomVersion.class)
class PowerLevelRulesTest {
    private static final List<String> SCALARS =
            List.of("users_default", "events_default", "state_default", "ban", "redact", "kick", "invite");

    private final RoomVersion version;

    PowerLevelRulesTest(RoomVersion version) {
        this.version = version;
    }

    private TestRoom room() {
        return new TestRoom(version);
    }

    /** Mod, with power 50, may change power levels here, and Eve has more. */
    private TestRoom room(String more) {
        return room().powerLevels(levels(more));
    }

    private static String levels(String more) {
        return "{\"users\":{\"@eve:example.org\":100,\"@mod:example.org\":50}" + more + "}";
    }

    @Test
    void theSameLevelsAreAlwaysFine() {
        assertThat(room(",\"ban\":70").allowsLevels(MOD, levels(",\"ban\":70"))).isTrue();
    }

    @Test
    void withoutThePowerForStateNothingChanges() {
        assertThat(room("").allowsLevels(BOB, levels(""))).isFalse();
    }

    @Test
    void aLevelMovesOnlyBelowOnesOwnPower() {
        for (String key : SCALARS) {
            String strict = key.equals("state_default") ? "50" : "51";
            assertThat(room("").allowsLevels(MOD, levels(",\"" + key + "\":50")))
                    .as(key)
                    .isTrue();
            assertThat(room("").allowsLevels(MOD, levels(",\"" + key + "\":51")))
                    .as(key)
                    .isFalse();
            if (strict.equals("51") && !key.equals("events_default")) {
                String before = ",\"" + key + "\":51";
                assertThat(room(before).allowsLevels(MOD, levels(",\"" + key + "\":1")))
                        .as(key)
                        .isFalse();
                assertThat(room(before).allowsLevels(MOD, levels("")))
                        .as(key + " removed")
                        .isFalse();
            }
            assertThat(room(",\"" + key + "\":50").allowsLevels(MOD, levels("")))
                    .as(key + " removed")
                    .isTrue();
        }
    }

    @Test
    void entriesOfEventsAndNotificationsMoveOnlyBelowOnesOwnPower() {
        for (String map : List.of("events", "notifications")) {
            assertThat(room("").allowsLevels(MOD, levels(entry(map, "x", 50)))).isTrue();
            assertThat(room("").allowsLevels(MOD, levels(entry(map, "x", 51)))).isFalse();
            assertThat(room(entry(map, "x", 51)).allowsLevels(MOD, levels(""))).isFalse();
            assertThat(room(entry(map, "x", 51)).allowsLevels(MOD, levels(entry(map, "x", 1))))
                    .isFalse();
            assertThat(room(entry(map, "x", 50)).allowsLevels(MOD, levels(""))).isTrue();
            assertThat(room(entry(map, "x", 51)).allowsLevels(MOD, levels(entry(map, "x", 51))))
                    .isTrue();
        }
    }

    private static String entry(String map, String key, int level) {
        return ",\"" + map + "\":{\"" + key + "\":" + level + "}";
    }

    @Test
    void nobodyTouchesTheirPeersOrRaisesAnybodyAboveThemselves() {
        assertThat(room("").allowsLevels(MOD, users(100, 50, "\"@bob:example.org\":50")))
                .as("up to one's own")
                .isTrue();
        assertThat(room("").allowsLevels(MOD, users(100, 50, "\"@bob:example.org\":51")))
                .isFalse();
        assertThat(room("").allowsLevels(MOD, users(100, 51, "")))
                .as("oneself up")
                .isFalse();
        assertThat(room("").allowsLevels(MOD, users(100, 10, "")))
                .as("oneself down")
                .isTrue();
        assertThat(room("").allowsLevels(MOD, users(99, 50, "")))
                .as("a greater one")
                .isFalse();
        assertThat(room("").allowsLevels(MOD, "{\"users\":{\"@mod:example.org\":50}}"))
                .as("a greater one")
                .isFalse();
        var peers = room().powerLevels(users(100, 50, "\"@bob:example.org\":50"));
        assertThat(peers.allowsLevels(MOD, users(100, 50, ""))).as("a peer").isFalse();
        assertThat(peers.with(EVE, Membership.JOIN).allowsLevels(EVE, users(100, 50, "")))
                .isTrue();
        assertThat(room().powerLevels(users(100, 50, "\"@bob:example.org\":49")).allowsLevels(MOD, users(100, 50, "")))
                .isTrue();
    }

    private static String users(int eve, int mod, String more) {
        return "{\"users\":{\"@eve:example.org\":" + eve + ",\"@mod:example.org\":" + mod
                + (more.isEmpty() ? "" : "," + more) + "}}";
    }

    @Test
    void onlyVersion12RefusesLevelsThatNameACreator() {
        boolean isRefused = version == RoomVersion.V12;
        for (var creator : List.of(ADA, BOB)) {
            String naming = "{\"users\":{\"" + creator.value() + "\":100}}";
            var room = new TestRoom(version, BOB);
            assertThat(room.refusal(new Candidate("m.room.power_levels", "", ADA, TestRoom.json(naming))) != null)
                    .isEqualTo(isRefused);
            assertThat(room.withoutPowerLevels().allowsLevels(ADA, naming)).isNotEqualTo(isRefused);
        }
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"users\":{\"@ada:example.org\":1}}")))
                .isNull();
    }

    @Test
    void levelsAreIntegersAndUsersHaveIds() {
        for (String broken : List.of(
                "{\"ban\":\"50\"}",
                "{\"ban\":50.5}",
                "{\"ban\":null}",
                "{\"ban\":9007199254740992}",
                "{\"events\":[]}",
                "{\"events\":{\"x\":\"50\"}}",
                "{\"notifications\":{\"room\":true}}",
                "{\"users\":{\"bob\":1}}",
                "{\"users\":{\"@bob:example.org\":\"1\"}}")) {
            assertThat(room().withoutPowerLevels().allowsLevels(ADA, broken))
                    .as(broken)
                    .isFalse();
            assertThat(AuthRules.malformedPowerLevels(TestRoom.json(broken)))
                    .as(broken)
                    .isNotNull();
        }
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"ban\":-9007199254740991}")))
                .isNull();
        assertThat(room().withoutPowerLevels().allowsLevels(ADA, "{\"ban\":1000}"))
                .as("the first ones")
                .isTrue();
    }
}
