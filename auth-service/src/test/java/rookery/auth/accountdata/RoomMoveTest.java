// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.id.RoomId;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RoomMoveTest {
    private static final RoomMove MOVE =
            new RoomMove(new RoomId("!oldoldoldoldoldold:a.b"), new RoomId("!newnewnewnewnewnew:a.b"));

    /** OLD and NEW stand for the rooms. */
    private static ObjectNode json(String text) {
        return (ObjectNode) JsonMapper.shared()
                .readTree(text.replace("OLD", MOVE.from().value())
                        .replace("NEW", MOVE.to().value()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"@a:a.b":["OLD"]}                     | {"@a:a.b":["OLD","NEW"]}
            {"@a:a.b":["x","OLD","y"],"@b:a.b":[]} | {"@a:a.b":["x","OLD","y","NEW"],"@b:a.b":[]}
            {"@a:a.b":["OLD","NEW"]}               | {"@a:a.b":["OLD","NEW"]}
            {"@a:a.b":["x"]}                       | {"@a:a.b":["x"]}
            {"@a:a.b":"OLD","@b:a.b":[7,null]}     | {"@a:a.b":"OLD","@b:a.b":[7,null]}
            {}                                     | {}
            """)
    void directChatsNameTheNewRoomToo(String before, String after) {
        assertThat(MOVE.direct(json(before))).isEqualTo(json(after));
        assertThat(MOVE.direct(json(after))).as("again").isEqualTo(json(after));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"room":[{"rule_id":"x"},{"rule_id":"OLD","actions":[]}]} | {"room":[{"rule_id":"x"},{"rule_id":"NEW","actions":[]},{"rule_id":"OLD","actions":[]}]}
            {"room":[{"rule_id":"OLD"},{"rule_id":"NEW","actions":["notify"]}]} | {"room":[{"rule_id":"OLD"},{"rule_id":"NEW","actions":["notify"]}]}
            {"override":[{"rule_id":"OLD","conditions":[{"kind":"event_match","key":"room_id","pattern":"OLD"},{"key":"type","pattern":"OLD"},5]}]} | {"override":[{"rule_id":"NEW","conditions":[{"kind":"event_match","key":"room_id","pattern":"NEW"},{"key":"type","pattern":"OLD"},5]},{"rule_id":"OLD","conditions":[{"kind":"event_match","key":"room_id","pattern":"OLD"},{"key":"type","pattern":"OLD"},5]}]}
            {"sender":[{"rule_id":"OLD"}],"room":"OLD","override":[3,{}]} | {"sender":[{"rule_id":"OLD"}],"room":"OLD","override":[3,{}]}
            """)
    void aRulesCopyIsForTheNewRoom(String before, String after) {
        assertThat(MOVE.pushRules(json("{\"global\":" + before + "}"))).isEqualTo(json("{\"global\":" + after + "}"));
        assertThat(MOVE.pushRules(json("{\"global\":" + after + "}")))
                .as("again")
                .isEqualTo(json("{\"global\":" + after + "}"));
    }

    @Test
    void rulesThatWereNeverSetStayUnset() {
        assertThat(MOVE.pushRules(json("{}"))).isEqualTo(json("{}"));
    }

    @Test
    void tagsOfTheNewRoomAreNotOverwritten() {
        var old = json("{\"tags\":{\"m.favourite\":{\"order\":0.5}}}");
        assertThat(RoomMove.tags(old, json("{}"))).isEqualTo(old);
        assertThat(RoomMove.tags(old, json("{\"tags\":{}}"))).isEqualTo(json("{\"tags\":{}}"));
    }
}
