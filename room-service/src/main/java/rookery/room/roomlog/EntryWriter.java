// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.ReplacedState;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.EventMeta.SenderPower;
import rookery.model.topic.EventMeta.Transaction;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.json.CanonicalJson;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.text.RoomLogText;
import rookery.room.authorization.Candidate;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import rookery.room.roomlog.ReferredEvents.Fact;
import rookery.room.roomlog.ReferredEvents.Ref;
import rookery.room.table.Annotations.Annotation;
import rookery.room.table.DeviceLists;
import rookery.room.table.Relation;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import rookery.room.transaction.TransactionKey;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Makes log entries of accepted events, assigns positions, and applies the events to the room as the batch sees the room. */
final class EntryWriter {
    /** The state in the preview of a room that a user is invited to or knocks at (contract.md 9.1). */
    static final List<String> STRIPPED = List.of(
            EventTypes.CREATE,
            EventTypes.JOIN_RULES,
            EventTypes.NAME,
            EventTypes.AVATAR,
            EventTypes.TOPIC,
            EventTypes.CANONICAL_ALIAS,
            EventTypes.ENCRYPTION);

    private final long nowMillis;
    private final BatchRows rows;
    private final ReferredEvents referred;
    private final int shard;
    private long pos;
    /** Of the delayed event that is being sent; null for other events. */
    private @Nullable String delayId;

    /** @param after the position before the first entry */
    EntryWriter(int shard, long after, long nowMillis, BatchRows rows, ReferredEvents referred) {
        this.shard = shard;
        this.pos = after;
        this.nowMillis = nowMillis;
        this.rows = rows;
        this.referred = referred;
    }

    int shard() {
        return shard;
    }

    long position() {
        return pos;
    }

    /** Continues after the position, because a unit with rows of its own has used the positions before. */
    void continueAt(long position) {
        pos = position;
    }

    /** Judges a delayed event, whose entry names the event by the delay id, for the sender. */
    <T> T sending(String delayIdOfEvent, Supplier<T> judging) {
        delayId = delayIdOfEvent;
        try {
            return judging.get();
        } finally {
            delayId = null;
        }
    }

    /** Appends an event whose content is made under the lock, from the room's current state. */
    EntryDraft append(RoomWork room, EventId id, Candidate candidate) {
        var text = EventText.of(room.key, candidate.type(), candidate.stateKey(), candidate.content());
        return append(room, id, candidate, text, null, null);
    }

    EntryDraft append(
            RoomWork room,
            EventId id,
            Candidate candidate,
            EventText text,
            @Nullable TransactionKey txn,
            @Nullable Fact redacts) {
        pos++;
        var power = power(room, candidate.sender());
        String stateKey = candidate.stateKey();
        var before = stateKey == null ? null : room.value(new StateKey(candidate.type(), stateKey));
        var membershipBefore = membershipBefore(room, candidate);
        String visibilityBefore = room.core().visibility();
        // an event that changes the visibility is subject to the new value
        room.apply(candidate.type(), stateKey, value(id, candidate, visibilityBefore));
        var value = value(id, candidate, room.core().visibility());
        var row = row(room, value, candidate);
        rows.event(row, text, value, before);
        referred.add(fact(row));
        var annotation = Annotation.of(room.key, candidate);
        if (annotation != null) {
            referred.annotate(annotation, id);
        }
        var event = new EventAppended(
                meta(
                        room,
                        value,
                        candidate,
                        txn,
                        new Circumstances(before, membershipBefore, visibilityBefore, power, redacts, row.thread())),
                EventLine.write(id, candidate.type(), stateKey, candidate.sender(), text, nowMillis),
                before == null ? null : CanonicalJson.write(before.content()),
                stripped(room, candidate));
        var subject = membershipBefore == null ? null : new UserId(Objects.requireNonNull(stateKey));
        return entry(RoomLogRecord.EVENT, room, subject, RoomLogText.write(event));
    }

    /** Lists the room in the room directory or removes the room; clients do not see such entries. */
    EntryDraft list(RoomWork room, boolean published) {
        pos++;
        room.setPublished(published);
        return entry(RoomLogRecord.LISTING, room, null, RoomLogText.write(new ListingSet(published)));
    }

    /** Announces a change of a user's devices or keys to all members of the rooms. */
    EntryDraft deviceList(TenantId tenant, UserId user, List<RoomId> rooms) {
        pos++;
        rooms.forEach(room -> rows.deviceLists.put(new DeviceLists.Key(new TenantRoom(tenant, room), user), pos));
        var changed = new DeviceListChanged(rooms.stream().map(RoomId::hash).toList());
        return new EntryDraft(RoomLogRecord.DEVICE_LIST, tenant, null, user, RoomLogText.write(changed));
    }

    /** The room's last entry. */
    EntryDraft purge(RoomWork room, UserId by) {
        pos++;
        return entry(RoomLogRecord.PURGE, room, null, RoomLogText.write(new RoomPurged(by, nowMillis)));
    }

    private static EntryDraft entry(String kind, RoomWork room, @Nullable UserId subject, String text) {
        return new EntryDraft(kind, room.key.tenant(), room.key.room(), subject, text);
    }

    private StateValue value(EventId id, Candidate candidate, String visibility) {
        return new StateValue(id, pos, candidate.sender(), visibility, candidate.content());
    }

    /** The event's row; a relation is kept only if its parent is in the room. */
    private Events.Row row(RoomWork room, StateValue value, Candidate candidate) {
        var relation = relation(candidate);
        var parent = relation == null ? null : referred.find(room.key, relation.parent());
        return new Events.Row(
                room.key,
                shard,
                pos,
                value.eventId(),
                candidate.type(),
                candidate.sender(),
                candidate.stateKey(),
                parent == null ? null : relation,
                relation == null || parent == null ? null : ReferredEvents.thread(relation, parent),
                Relation.isInvalidEdit(candidate.type(), candidate.content()));
    }

    /** State belongs to no thread, because state applies to the whole room. */
    private static @Nullable Relation relation(Candidate candidate) {
        var relation = Relation.of(candidate.content());
        return candidate.stateKey() != null
                        && relation != null
                        && relation.type().equals(Relation.THREAD)
                ? null
                : relation;
    }

    private static Fact fact(Events.Row row) {
        return new Fact(
                new Ref(row.room(), row.id()),
                row.pos(),
                row.type(),
                row.sender(),
                row.stateKey(),
                row.relation() == null ? null : row.relation().type(),
                row.thread(),
                false);
    }

    /** The circumstances of an event: the state before, the redaction's target and the thread. */
    private record Circumstances(
            @Nullable StateValue before,
            @Nullable Membership membershipBefore,
            String visibilityBefore,
            @Nullable SenderPower power,
            @Nullable Fact redacts,
            @Nullable EventId thread) {}

    /** Null for the default: power 0, and default levels for notifications. */
    private static @Nullable SenderPower power(RoomWork room, UserId sender) {
        long level = room.power().of(sender);
        var notifications = room.power().unusualNotifications();
        return level == 0 && notifications.isEmpty()
                ? null
                : new SenderPower(level, notifications.isEmpty() ? null : notifications);
    }

    private EventMeta meta(
            RoomWork room,
            StateValue value,
            Candidate candidate,
            @Nullable TransactionKey txn,
            Circumstances circumstances) {
        var before = circumstances.before;
        var membershipBefore = circumstances.membershipBefore;
        boolean changesVisibility =
                candidate.type().equals(EventTypes.HISTORY_VISIBILITY) && "".equals(candidate.stateKey());
        return new EventMeta(
                value.eventId(),
                candidate.type(),
                candidate.sender(),
                candidate.stateKey(),
                nowMillis,
                txn == null ? null : new Transaction(txn.device(), txn.txn()),
                new RoomAtEvent(
                        value.visibility(),
                        changesVisibility ? circumstances.visibilityBefore : null,
                        room.joined(),
                        room.invited()),
                membershipBefore == null
                        ? null
                        : new MembershipChange(membershipBefore, RoomWork.membership(candidate.content())),
                before == null ? null : new ReplacedState(before.eventId(), before.pos(), before.visibility()),
                circumstances.redacts == null
                        ? null
                        : new RedactionTarget(circumstances.redacts.ref().id(), circumstances.redacts.pos()),
                circumstances.thread,
                candidate.content().path("url").isString(),
                circumstances.power,
                delayId);
    }

    private static @Nullable Membership membershipBefore(RoomWork room, Candidate candidate) {
        return candidate.type().equals(EventTypes.MEMBER) && candidate.stateKey() != null
                ? room.membership(new UserId(candidate.stateKey()))
                : null;
    }

    private static @Nullable String stripped(RoomWork room, Candidate candidate) {
        if (!candidate.type().equals(EventTypes.MEMBER) || candidate.stateKey() == null) {
            return null;
        }
        var membership = RoomWork.membership(candidate.content());
        if (membership != Membership.INVITE && membership != Membership.KNOCK) {
            return null;
        }
        var events = JsonMapper.shared().createArrayNode();
        STRIPPED.forEach(type -> add(events, room, StateKey.of(type)));
        // the member event itself is sent beside the preview
        if (!candidate.stateKey().equals(candidate.sender().value())) {
            add(events, room, StateKey.member(candidate.sender()));
        }
        return CanonicalJson.write(events);
    }

    private static void add(ArrayNode events, RoomWork room, StateKey state) {
        var value = room.value(state);
        if (value != null) {
            events.addObject()
                    .put("type", state.type())
                    .put("state_key", state.key())
                    .put("sender", value.sender().value())
                    .set("content", value.content());
        }
    }
}
