// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.push.PushedEvent;
import rookery.platform.push.RoomFacts;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** An event of the room log with its position; {@code subject} is the user of a member event. */
record LoggedEvent(
        TenantRoom room, int shard, long pos, @Nullable UserId subject, EventAppended event) {
    /** The thread name of events outside of threads. */
    static final String MAIN = "main";

    private static final JsonMapper JSON = JsonMapper.shared();

    EventMeta meta() {
        return event.meta();
    }

    String thread() {
        var root = meta().thread();
        return root == null ? MAIN : root.value();
    }

    /** Whether the event was redacted before the entry was read; such events never count. */
    boolean isRedacted() {
        return event.redactedBecauseJson() != null;
    }

    boolean isMember() {
        return meta().membership() != null && subject != null;
    }

    boolean isJoin() {
        return isMember() && meta().membership() == Membership.JOIN;
    }

    boolean isInvite() {
        return isMember() && meta().membership() == Membership.INVITE;
    }

    PushedEvent pushed() {
        return PushedEvent.of(room.room(), event.eventJson());
    }

    RoomFacts facts() {
        var power = meta().power();
        if (power == null) {
            return new RoomFacts(meta().room().joined(), 0, Map.of());
        }
        var notifications = power.notifications();
        return new RoomFacts(meta().room().joined(), power.level(), notifications == null ? Map.of() : notifications);
    }

    /** A text field of the content, or null; without U+0000, which PostgreSQL cannot store. */
    @Nullable
    String contentText(String field) {
        var text = content().path(field);
        return text.isString() ? text.stringValue().replace("\0", "") : null;
    }

    JsonNode content() {
        try {
            return JSON.readTree(event.eventJson()).path("content");
        } catch (JacksonException _) {
            return MissingNode.getInstance();
        }
    }
}
