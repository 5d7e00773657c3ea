package rookery.sync.testing;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.EventMeta;
import rookery.model.topic.RoomLogRecord.ReplacedState;

/** Makes events as room-service would append them. */
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
        var meta = new EventMeta(
                id(name),
                type,
                sender,
                stateKey,
                1000,
                new DeviceId("D"),
                new TransactionId(name),
                "shared",
                null,
                null,
                null,
                null,
                null,
                null,
                2,
                0,
                content.contains("\"url\":"));
        return new EventAppended(meta, json(meta, content), null, null);
    }

    public static EventAppended member(
            String name, UserId sender, UserId user, Membership before, Membership after, int joined, int invited) {
        var meta = new EventMeta(
                id(name),
                EventTypes.MEMBER,
                sender,
                user.value(),
                1000,
                null,
                null,
                "shared",
                null,
                after,
                before,
                null,
                null,
                null,
                joined,
                invited,
                false);
        String stripped =
                after == Membership.INVITE || after == Membership.KNOCK ? "[{\"type\":\"m.room.member\"}]" : null;
        return new EventAppended(meta, json(meta, "{\"membership\":\"" + after.word + "\"}"), null, stripped);
    }

    public static EventAppended redaction(String name, UserId sender, String redacts) {
        return redaction(name, sender, redacts, null);
    }

    /** One that says where the redacted event stands, as room-service does. */
    public static EventAppended redaction(String name, UserId sender, String redacts, @Nullable Long pos) {
        var meta = with(event(name, EventTypes.REDACTION, sender, null, "{}").meta(), id(redacts), pos, null);
        return new EventAppended(meta, json(meta, "{\"redacts\":\"$" + redacts + "\"}"), null, null);
    }

    public static EventAppended inThread(EventAppended event, String root) {
        return new EventAppended(with(event.meta(), null, null, id(root)), event.eventJson(), null, null);
    }

    private static EventMeta with(
            EventMeta m, @Nullable EventId redacts, @Nullable Long redactsPos, @Nullable EventId thread) {
        return new EventMeta(
                m.eventId(),
                m.type(),
                m.sender(),
                null,
                m.ts(),
                m.device(),
                m.txn(),
                m.visibility(),
                null,
                null,
                null,
                null,
                redacts,
                thread,
                m.joined(),
                m.invited(),
                false,
                redactsPos,
                null);
    }

    public static EventAppended replacing(EventAppended event, String replaced, long pos, String visibility) {
        var m = event.meta();
        var meta = new EventMeta(
                m.eventId(),
                m.type(),
                m.sender(),
                m.stateKey(),
                m.ts(),
                m.device(),
                m.txn(),
                m.visibility(),
                m.visibilityBefore(),
                m.membership(),
                m.membershipBefore(),
                new ReplacedState(id(replaced), pos, visibility),
                m.redacts(),
                m.thread(),
                m.joined(),
                m.invited(),
                m.url());
        return new EventAppended(meta, event.eventJson(), "{\"was\":\"" + replaced + "\"}", event.strippedStateJson());
    }

    private static String json(EventMeta meta, String content) {
        String stateKey = meta.stateKey() == null ? "" : ",\"state_key\":\"" + meta.stateKey() + "\"";
        return "{\"content\":" + content + ",\"event_id\":\"" + meta.eventId().value() + "\",\"origin_server_ts\":1000"
                + ",\"sender\":\"" + meta.sender().value() + "\"" + stateKey + ",\"type\":\"" + meta.type() + "\"}";
    }
}
