// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.ReplacedState;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.EventMeta.Transaction;
import rookery.model.topic.RoomLogRecord.EventAppended;

/** Builds events as room-service appends them. */
public final class Events {
    private Events() {}

    public static EventId id(String name) {
        return new EventId("$" + name);
    }

    public static EventAppended message(String name, UserId sender) {
        return event(name, "m.room.message", sender, null, "{\"body\":\"" + name + "\",\"msgtype\":\"m.text\"}");
    }

    public static EventAppended state(String name, String type, String stateKey, UserId sender) {
        return event(name, type, sender, stateKey, "{\"value\":\"" + name + "\"}");
    }

    public static EventAppended event(
            String name, String type, UserId sender, @Nullable String stateKey, String content) {
        var meta = EventMeta.builder(id(name), type, sender, 1000, new RoomAtEvent("shared", 2, 0))
                .stateKey(stateKey)
                .transaction(new Transaction(new DeviceId("D"), new TransactionId(name)))
                .url(content.contains("\"url\":"))
                .build();
        return new EventAppended(meta, json(meta, content), null, null);
    }

    public static EventAppended member(
            String name, UserId sender, UserId user, Membership before, Membership after, int joined, int invited) {
        var room = new RoomAtEvent("shared", joined, invited);
        var meta = EventMeta.builder(id(name), EventTypes.MEMBER, sender, 1000, room)
                .stateKey(user.value())
                .membershipChange(new MembershipChange(before, after))
                .build();
        String stripped =
                after == Membership.INVITE || after == Membership.KNOCK ? "[{\"type\":\"m.room.member\"}]" : null;
        return new EventAppended(meta, json(meta, "{\"membership\":\"" + after.word + "\"}"), null, stripped);
    }

    public static EventAppended redaction(String name, UserId sender, String redacts) {
        return redaction(name, sender, redacts, null);
    }

    /** A redaction with the position of the redacted event, as by room-service. */
    public static EventAppended redaction(String name, UserId sender, String redacts, @Nullable Long pos) {
        var meta = event(name, EventTypes.REDACTION, sender, null, "{}").meta().toBuilder()
                .redacts(new RedactionTarget(id(redacts), pos))
                .build();
        return new EventAppended(meta, json(meta, "{\"redacts\":\"$" + redacts + "\"}"), null, null);
    }

    public static EventAppended inThread(EventAppended event, String root) {
        var meta = event.meta().toBuilder().thread(id(root)).build();
        return new EventAppended(meta, event.eventJson(), null, null);
    }

    public static EventAppended replacing(EventAppended event, String replaced, long pos, String visibility) {
        var meta = event.meta().toBuilder()
                .replaces(new ReplacedState(id(replaced), pos, visibility))
                .build();
        return new EventAppended(meta, event.eventJson(), "{\"was\":\"" + replaced + "\"}", event.strippedStateJson());
    }

    private static String json(EventMeta meta, String content) {
        String stateKey = meta.stateKey() == null ? "" : ",\"state_key\":\"" + meta.stateKey() + "\"";
        return "{\"content\":" + content + ",\"event_id\":\"" + meta.eventId().value() + "\",\"origin_server_ts\":1000"
                + ",\"sender\":\"" + meta.sender().value() + "\"" + stateKey + ",\"type\":\"" + meta.type() + "\"}";
    }
}
