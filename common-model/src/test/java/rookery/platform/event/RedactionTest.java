// SPDX-License-Identifier: Apache-2.0
package rookery.platform.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.ReplacedState;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.RoomLogRecord.EventAppended;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The content that a redaction keeps, by the list of contract.md 9.6. */
class RedactionTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final String REDACTION = "{\"content\":{\"redacts\":\"$e\"},\"redacts\":\"$e\"}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            m.room.member|{"membership":"join","displayname":"x","reason":"x"}|{"membership":"join"}
            m.room.member|{"join_authorised_via_users_server":"@a:s","x":1}|{"join_authorised_via_users_server":"@a:s"}
            m.room.member|{"third_party_invite":{"signed":{"a":1},"x":1}}|{"third_party_invite":{"signed":{"a":1}}}
            m.room.member|{"third_party_invite":{"x":1}}|{}
            m.room.member|{"third_party_invite":"x"}|{}
            m.room.create|{"room_version":"11","x":1}|{"room_version":"11","x":1}
            m.room.join_rules|{"join_rule":"restricted","allow":[],"x":1}|{"allow":[],"join_rule":"restricted"}
            m.room.history_visibility|{"history_visibility":"joined","x":1}|{"history_visibility":"joined"}
            m.room.redaction|{"redacts":"$x","reason":"x"}|{"redacts":"$x"}
            m.room.message|{"body":"x","m.relates_to":{}}|{}
            m.room.name|{"name":"x"}|{}
            m.room.aliases|{"aliases":["x"]}|{}
            """)
    void keepsWhatTheListSays(String type, String before, String after) {
        assertThat(Redaction.content(type, object(before))).isEqualTo(object(after));
    }

    @Test
    void powerLevelsKeepEverythingButNotificationsAndWhatNobodyKnows() {
        var levels = object("{\"ban\":1,\"events\":{},\"events_default\":1,\"invite\":1,\"kick\":1,\"redact\":1,"
                + "\"state_default\":1,\"users\":{},\"users_default\":1}");
        var more = levels.deepCopy().put("x", 1);
        more.putObject("notifications").put("room", 1);

        assertThat(Redaction.content("m.room.power_levels", more)).isEqualTo(levels);
    }

    @Test
    void keepsTheEnvelopeAndSaysWhy() {
        var event = event("m.room.topic", "", "{\"topic\":\"x\"}", ",\"x\":1");

        var left = Redaction.of(event, REDACTION);

        assertThat(JSON.readTree(left.eventJson()).propertyNames())
                .containsExactlyInAnyOrder("content", "event_id", "origin_server_ts", "sender", "state_key", "type");
        assertThat(left.redactedBecauseJson()).isEqualTo(REDACTION);
        assertThat(left.meta().url()).isFalse();
        assertThat(left.prevContentJson()).isEqualTo(event.prevContentJson());
    }

    @Test
    void theFirstRedactionStays() {
        var once = Redaction.of(event("m.room.topic", "", "{}", ""), REDACTION);

        assertThat(Redaction.of(once, "{}")).isEqualTo(once);
    }

    @Test
    void whatFollowedKeepsItsOwnContent() {
        var follower = event("m.room.topic", "", "{\"topic\":\"mine\"}", "");

        var left = Redaction.ofPrevious(follower);

        assertThat(left.prevContentJson()).isEqualTo("{}");
        assertThat(left.eventJson()).isEqualTo(follower.eventJson());
    }

    @Test
    void aRedactedEventIsShownWithTheEventThatRedactedIt() {
        var left = Redaction.of(event("m.room.message", null, "{\"body\":\"x\"}", ""), REDACTION);
        var reader = new EventText.Reader(ADA, null, Membership.JOIN, true);

        var inRoom = shown(EventText.render(left, new RoomId("!abcdefghijklmnopqr:example.org"), reader, 9));
        var inSync = shown(EventText.render(left, null, reader, "{\"m.thread\":{}}", 9));

        assertThat(inRoom.path("redacted_because").path("room_id").stringValue())
                .isEqualTo("!abcdefghijklmnopqr:example.org");
        assertThat(inSync.path("redacted_because")).isEqualTo(JSON.readTree(REDACTION));
        assertThat(inSync.path("m.relations").has("m.thread")).isTrue();
    }

    @Test
    void anInvitationThatWasAnsweredDoesNotShowWhatTheRoomWasLike() {
        var member = event("m.room.member", ADA.value(), "{\"membership\":\"invite\"}", "");
        var invitation = new EventAppended(member.meta(), member.eventJson(), null, "[{\"type\":\"m.room.name\"}]");
        var pending = new EventText.Reader(ADA, null, Membership.INVITE, true, true);
        var joined = new EventText.Reader(ADA, null, Membership.INVITE, true);

        assertThat(shown(EventText.render(invitation, null, pending, 9)).has("invite_room_state"))
                .isTrue();
        assertThat(shown(EventText.render(invitation, null, joined, 9)).has("invite_room_state"))
                .isFalse();
    }

    private static JsonNode shown(String text) {
        return JSON.readTree(text).path("unsigned");
    }

    private static EventAppended event(
            String type, @org.jspecify.annotations.Nullable String stateKey, String content, String more) {
        var replaced = stateKey == null ? null : new ReplacedState(new EventId("$d"), 3, "shared");
        var meta = EventMeta.builder(new EventId("$e"), type, ADA, 7, new RoomAtEvent("shared", 1, 0))
                .stateKey(stateKey)
                .replaces(replaced)
                .url(true)
                .build();
        String json =
                "{\"content\":" + content + ",\"event_id\":\"$e\",\"origin_server_ts\":7,\"sender\":\"" + ADA.value()
                        + "\"" + (stateKey == null ? "" : ",\"state_key\":\"" + stateKey + "\"") + ",\"type\":\"" + type
                        + "\"" + more
                        + "}";
        return new EventAppended(meta, json, stateKey == null ? null : "{\"topic\":\"was\"}", null);
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) JSON.readTree(text);
    }
}
