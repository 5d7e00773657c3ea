// SPDX-License-Identifier: Apache-2.0
package rookery.platform.event;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The redaction algorithm (contract.md 9.6), the same in every service. Without I/O. */
public final class Redaction {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> ENVELOPE =
            List.of("content", "event_id", "origin_server_ts", "sender", "state_key", "type");

    private Redaction() {}

    /**
     * Redacts an event. An event that is redacted already stays unchanged, so clients see its first redaction.
     *
     * @param redactionJson the redaction event, one line, in the form of {@link EventAppended#eventJson}
     */
    public static EventAppended of(EventAppended target, String redactionJson) {
        if (target.redactedBecauseJson() != null) {
            return target;
        }
        return new EventAppended(
                target.meta().redacted(),
                stripped(target),
                target.prevContentJson(),
                target.strippedStateJson(),
                redactionJson);
    }

    /** Strips an event as a redaction does, but without a redaction event, for hidden messages of its sender. */
    public static EventAppended hidden(EventAppended event) {
        if (event.redactedBecauseJson() != null) {
            return event;
        }
        return new EventAppended(
                event.meta().redacted(),
                stripped(event),
                event.prevContentJson() == null
                        ? null
                        : strippedContent(event.meta().type(), event.prevContentJson()),
                event.strippedStateJson());
    }

    /** Strips the previous content in the state event that followed a redacted state event. */
    public static EventAppended ofPrevious(EventAppended follower) {
        String previous = follower.prevContentJson();
        if (previous == null) {
            return follower;
        }
        return new EventAppended(
                follower.meta(),
                follower.eventJson(),
                strippedContent(follower.meta().type(), previous),
                follower.strippedStateJson(),
                follower.redactedBecauseJson());
    }

    /**
     * Strips the redacted event in the stripped state of an invite or knock.
     *
     * @param target the event before its redaction
     */
    public static EventAppended ofPreview(EventAppended invitation, EventAppended target) {
        if (invitation.strippedStateJson() == null) {
            return invitation;
        }
        var preview = (ArrayNode) JSON.readTree(invitation.strippedStateJson());
        var content = (ObjectNode) object(target.eventJson()).get("content");
        for (var stripped : preview) {
            if (stripped instanceof ObjectNode event && isCopyOf(event, target, content)) {
                event.set("content", content(target.meta().type(), content));
            }
        }
        return new EventAppended(
                invitation.meta(),
                invitation.eventJson(),
                invitation.prevContentJson(),
                CanonicalJson.write(preview),
                invitation.redactedBecauseJson());
    }

    /** Stripped events have no ids: equal content of the same sender and state key identifies the event. */
    private static boolean isCopyOf(ObjectNode stripped, EventAppended target, ObjectNode content) {
        var meta = target.meta();
        return stripped.path("type").asString("").equals(meta.type())
                && stripped.path("state_key").asString("").equals(meta.stateKey())
                && stripped.path("sender").asString("").equals(meta.sender().value())
                && stripped.path("content").equals(content);
    }

    /** Returns the content that the redaction of an event of this type keeps. */
    public static ObjectNode content(String type, ObjectNode content) {
        var redacted = content.deepCopy();
        switch (type) {
            case EventTypes.CREATE -> {}
            case EventTypes.MEMBER -> member(redacted);
            case EventTypes.JOIN_RULES -> redacted.retain("join_rule", "allow");
            case EventTypes.POWER_LEVELS ->
                redacted.retain(
                        "ban",
                        "events",
                        "events_default",
                        "invite",
                        "kick",
                        "redact",
                        "state_default",
                        "users",
                        "users_default");
            case EventTypes.HISTORY_VISIBILITY -> redacted.retain("history_visibility");
            case EventTypes.REDACTION -> redacted.retain("redacts");
            default -> redacted.removeAll();
        }
        return redacted;
    }

    private static void member(ObjectNode redacted) {
        redacted.retain("membership", "join_authorised_via_users_server", "third_party_invite");
        if (redacted.get("third_party_invite") instanceof ObjectNode invite) {
            invite.retain("signed");
        }
        if (redacted.path("third_party_invite").path("signed").isMissingNode()) {
            redacted.remove("third_party_invite");
        }
    }

    private static String strippedContent(String type, String content) {
        return CanonicalJson.write(content(type, object(content)));
    }

    private static String stripped(EventAppended event) {
        var json = object(event.eventJson());
        var redacts = redacts(event, json);
        json.retain(ENVELOPE);
        json.set("content", content(event.meta().type(), (ObjectNode) json.get("content")));
        if (redacts != null) {
            json.set("redacts", redacts);
        }
        return CanonicalJson.write(json);
    }

    /** A redaction event names its target at the top level and in its content, always in both. */
    private static @Nullable JsonNode redacts(EventAppended event, ObjectNode json) {
        return event.meta().type().equals(EventTypes.REDACTION) ? json.get("redacts") : null;
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) JSON.readTree(text);
    }
}
