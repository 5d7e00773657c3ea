// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.authorization.TestRoom.ADA;
import static rookery.room.authorization.TestRoom.BOB;
import static rookery.room.authorization.TestRoom.json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.event.RoomVersion;

/** The power levels after an upgrade, by the versions of both rooms (contract.md 8.4). Bob upgrades, Eve is a creator beside. */
class SuccessorPowerTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            V10 | V11 | {"users":{"@ada:example.org":100,"@bob:example.org":50},"x":"y"} | {"users":{"@ada:example.org":100,"@bob:example.org":50},"x":"y"}
            V11 | V10 | {"users":{"@bob:example.org":100}}            | {"users":{"@bob:example.org":100}}
            V11 | V12 | {"users":{"@ada:example.org":100,"@bob:example.org":99}} | {"users":{"@ada:example.org":100},"events":{"m.room.tombstone":150}}
            V11 | V12 | {"users":{"@eve:example.org":100},"ban":1}    | {"users":{},"ban":1,"events":{"m.room.tombstone":150}}
            V10 | V12 | {"events":{"m.room.tombstone":100,"a":7}}     | {"events":{"m.room.tombstone":150,"a":7}}
            V11 | V12 | {"events":{"m.room.tombstone":900}}           | {"events":{"m.room.tombstone":900}}
            V11 | V12 | {"state_default":800}                         | {"state_default":800,"events":{"m.room.tombstone":801}}
            V11 | V12 | {"state_default":9007199254740991}            | {"state_default":9007199254740991,"events":{"m.room.tombstone":9007199254740991}}
            V12 | V12 | {"users":{"@bob:example.org":150},"events":{"m.room.tombstone":20}} | {"users":{},"events":{"m.room.tombstone":20}}
            V12 | V11 | {"users":{"@bob:example.org":50}}             | {"users":{"@bob:example.org":50,"@ada:example.org":100}}
            V12 | V11 | {"events":{"m.room.tombstone":150},"ban":120} | {"events":{"m.room.tombstone":150},"ban":120,"users":{"@ada:example.org":150}}
            V12 | V10 | {"ban":170,"x":99999,"y":"999"}               | {"ban":170,"x":99999,"y":"999","users":{"@ada:example.org":99999}}
            """)
    void levelsAreCarriedOver(RoomVersion from, RoomVersion to, String before, String after) {
        var old = new TestRoom(from).powerLevels(before).core();
        var created = CoreState.NONE.after("m.room.create", "", BOB, TestRoom.creation(to, TestRoom.EVE));

        // parsed, because equal numbers of different widths are not equal nodes
        assertThat(json(String.valueOf(SuccessorPower.of(old, created)))).isEqualTo(json(after));
        assertThat(old.powerLevels()).isEqualTo(json(before));
        assertThat(old.creator()).isEqualTo(ADA);
    }

    @ParameterizedTest
    @CsvSource({"V11,V12", "V12,V11", "V12,V12"})
    void aRoomWithoutLevelsHasASuccessorWithoutLevels(RoomVersion from, RoomVersion to) {
        var created = CoreState.NONE.after("m.room.create", "", BOB, TestRoom.creation(to));
        assertThat(SuccessorPower.of(new TestRoom(from).withoutPowerLevels().core(), created))
                .isNull();
    }
}
