// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import java.util.List;
import java.util.Map;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;

/**
 * The default rules of every user: the list of version 1.19 of the specification, and the rules for polls of MSC3930, which the
 * specification does not contain yet (contract.md 12.3).
 */
public final class DefaultRules {
    private static final String NOTIFY = "notify";
    /** Clients send polls under this prefix and expect the rules of polls under the other, until the specification has both. */
    private static final String POLL = "org.matrix.msc3381.poll.";

    private static final String POLL_RULE = ".org.matrix.msc3930.rule.";
    private static final Map<String, Object> SOUND = Map.of("set_tweak", "sound", "value", "default");
    private static final Map<String, Object> RING = Map.of("set_tweak", "sound", "value", "ring");
    private static final Map<String, Object> HIGHLIGHT = Map.of("set_tweak", "highlight");
    private static final Map<String, Object> TWO_MEMBERS = Map.of("kind", "room_member_count", "is", "2");
    private static final Map<String, Object> NO_STATE_KEY = is("state_key", "");
    private static final Map<String, Object> MESSAGE = is("type", EventTypes.MESSAGE);
    private static final Map<String, Object> ENCRYPTED = is("type", "m.room.encrypted");
    private static final Map<String, Object> POLL_START = is("type", POLL + "start");
    private static final Map<String, Object> POLL_END = is("type", POLL + "end");

    private DefaultRules() {}

    /** The default rules of a user; two rules contain the user's id. */
    public static RuleSet of(UserId user) {
        return new RuleSet(override(user), null, null, null, underride());
    }

    private static List<PushRule> override(UserId user) {
        return List.of(
                new PushRule(id("master"), true, false, List.of(), List.of(), null),
                rule("suppress_notices", List.of(), List.of(is("content.msgtype", "m.notice"))),
                rule(
                        "invite_for_me",
                        List.of(NOTIFY, SOUND),
                        List.of(
                                is("type", EventTypes.MEMBER),
                                is("content.membership", "invite"),
                                is("state_key", user.value()))),
                rule("member_event", List.of(), List.of(is("type", EventTypes.MEMBER))),
                rule(
                        "is_user_mention",
                        List.of(NOTIFY, SOUND, HIGHLIGHT),
                        List.of(property("event_property_contains", "content.m\\.mentions.user_ids", user.value()))),
                rule(
                        "is_room_mention",
                        List.of(NOTIFY, HIGHLIGHT),
                        List.of(
                                property("event_property_is", "content.m\\.mentions.room", true),
                                Map.of("kind", "sender_notification_permission", "key", "room"))),
                rule("tombstone", List.of(NOTIFY, HIGHLIGHT), List.of(is("type", EventTypes.TOMBSTONE), NO_STATE_KEY)),
                rule("reaction", List.of(), List.of(is("type", "m.reaction"))),
                rule("room.server_acl", List.of(), List.of(is("type", "m.room.server_acl"), NO_STATE_KEY)),
                pollRule("poll_response", List.of(), List.of(is("type", POLL + "response"))),
                rule(
                        "suppress_edits",
                        List.of(),
                        List.of(property("event_property_is", "content.m\\.relates_to.rel_type", "m.replace"))));
    }

    private static List<PushRule> underride() {
        return List.of(
                rule("call", List.of(NOTIFY, RING), List.of(is("type", "m.call.invite"))),
                rule("encrypted_room_one_to_one", List.of(NOTIFY, SOUND), List.of(TWO_MEMBERS, ENCRYPTED)),
                rule("room_one_to_one", List.of(NOTIFY, SOUND), List.of(TWO_MEMBERS, MESSAGE)),
                rule("message", List.of(NOTIFY), List.of(MESSAGE)),
                rule("encrypted", List.of(NOTIFY), List.of(ENCRYPTED)),
                pollRule("poll_start_one_to_one", List.of(NOTIFY, SOUND), List.of(TWO_MEMBERS, POLL_START)),
                pollRule("poll_start", List.of(NOTIFY), List.of(POLL_START)),
                pollRule("poll_end_one_to_one", List.of(NOTIFY, SOUND), List.of(TWO_MEMBERS, POLL_END)),
                pollRule("poll_end", List.of(NOTIFY), List.of(POLL_END)));
    }

    private static PushRule rule(String name, List<Object> actions, List<Map<String, Object>> conditions) {
        return new PushRule(id(name), true, true, actions, conditions, null);
    }

    private static PushRule pollRule(String name, List<Object> actions, List<Map<String, Object>> conditions) {
        return new PushRule(new RuleId(POLL_RULE + name), true, true, actions, conditions, null);
    }

    private static RuleId id(String name) {
        return new RuleId(".m.rule." + name);
    }

    private static Map<String, Object> is(String key, String pattern) {
        return Map.of("kind", "event_match", "key", key, "pattern", pattern);
    }

    private static Map<String, Object> property(String kind, String key, Object value) {
        return Map.of("kind", kind, "key", key, "value", value);
    }
}
