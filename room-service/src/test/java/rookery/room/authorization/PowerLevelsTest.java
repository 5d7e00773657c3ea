// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.authorization.TestRoom.ADA;
import static rookery.room.authorization.TestRoom.BOB;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** contract.md 9.5. */
class PowerLevelsTest {
    private static PowerLevels of(String content) {
        return PowerLevels.of(Creators.NONE, TestRoom.json(content));
    }

    @Test
    void whatIsNotSaidHasItsDefault() {
        for (var levels : new PowerLevels[] {of("{}"), PowerLevels.of(Creators.NONE, null)}) {
            assertThat(levels.of(BOB)).isZero();
            assertThat(levels.required("m.room.name", true)).isEqualTo(50);
            assertThat(levels.required("m.room.message", false)).isZero();
            assertThat(levels.ban()).isEqualTo(50);
            assertThat(levels.kick()).isEqualTo(50);
            assertThat(levels.redact()).isEqualTo(50);
            assertThat(levels.invite()).isZero();
            assertThat(levels.unusualNotifications()).isEmpty();
        }
        var creator = new Creators(ADA, Set.of());
        assertThat(PowerLevels.of(creator, null).of(ADA)).isEqualTo(100);
        assertThat(PowerLevels.of(creator, null).of(BOB)).isZero();
        assertThat(PowerLevels.of(creator, TestRoom.json("{}")).of(ADA)).isZero();
    }

    @Test
    void unboundedCreatorsHaveMorePowerThanTheLevelsSay() {
        var creators = new Creators(ADA, Set.of(ADA));
        for (var content : Arrays.asList(null, TestRoom.json("{\"users_default\":9007199254740991}"))) {
            var levels = PowerLevels.of(creators, content);
            assertThat(levels.of(ADA)).isGreaterThan(9007199254740991L);
            assertThat(levels.of(BOB)).isLessThanOrEqualTo(9007199254740991L);
            assertThat(levels.users()).isEmpty();
        }
    }

    @Test
    void whatIsSaidHolds() {
        var levels = of("""
                {"users":{"@ada:example.org":9},"users_default":1,"events":{"m.room.name":2},"events_default":3,
                 "state_default":4,"ban":5,"kick":6,"redact":7,"invite":8,"notifications":{"room":10}}""");
        assertThat(levels.of(ADA)).isEqualTo(9);
        assertThat(levels.of(BOB)).isEqualTo(1);
        assertThat(levels.required("m.room.name", true)).isEqualTo(2);
        assertThat(levels.required("m.room.name", false)).isEqualTo(2);
        assertThat(levels.required("m.room.message", false)).isEqualTo(3);
        assertThat(levels.required("m.room.topic", true)).isEqualTo(4);
        assertThat(levels.ban()).isEqualTo(5);
        assertThat(levels.kick()).isEqualTo(6);
        assertThat(levels.redact()).isEqualTo(7);
        assertThat(levels.invite()).isEqualTo(8);
        assertThat(levels.unusualNotifications()).containsEntry("room", 10L);
    }

    @Test
    void integersHaveTheirLimits() {
        var room = new TestRoom().withoutPowerLevels();
        for (String key : new String[] {"ban", "users_default"}) {
            assertThat(room.allowsLevels(ADA, "{\"" + key + "\":9007199254740991}"))
                    .isTrue();
            assertThat(room.allowsLevels(ADA, "{\"" + key + "\":9007199254740992}"))
                    .isFalse();
            assertThat(room.allowsLevels(ADA, "{\"" + key + "\":-9007199254740991}"))
                    .isTrue();
            assertThat(room.allowsLevels(ADA, "{\"" + key + "\":-9007199254740992}"))
                    .isFalse();
            assertThat(room.allowsLevels(ADA, "{\"" + key + "\":99999999999999999999}"))
                    .isFalse();
        }
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"ban\":\"50\"}")))
                .contains("ban");
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"events\":[]}")))
                .contains("events");
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"events\":{\"a\":1.5}}")))
                .contains("events");
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"users\":{\"ada\":1}}")))
                .contains("users");
        assertThat(AuthRules.malformedPowerLevels(TestRoom.json("{\"users\":{\"@a:b\":1}}")))
                .isNull();
    }

    @Test
    void ofManyNotificationsSomeAreKept() {
        var content = TestRoom.json("{\"notifications\":{\"room\":10,\"default\":50}}");
        var kinds = (ObjectNode) content.get("notifications");
        kinds.put("long".repeat(100), 10);
        IntStream.range(0, 5_000).forEach(i -> kinds.put("kind" + i, 10));

        assertThat(PowerLevels.of(Creators.NONE, content).unusualNotifications())
                .containsEntry("room", 10L)
                .hasSize(20)
                .doesNotContainKeys("default", "long".repeat(100));
    }
}
