// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.MemberHistory;
import rookery.room.draft.EventText;
import rookery.room.roomlog.ReferredEvents.Fact;
import rookery.room.table.BanCopies;
import rookery.room.table.DelayedEvents;
import rookery.room.table.DeviceLists;
import rookery.room.table.ForgottenRooms;
import rookery.room.table.Purges;
import rookery.room.table.RoomStateKey;
import rookery.room.table.SearchIndex;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import rookery.room.table.Upgrades;
import rookery.room.transaction.TransactionKey;

/** The rows that a batch writes besides the log: collected while the drafts are judged, written in a few statements. */
final class BatchRows {
    final List<Events.Row> events = new ArrayList<>();
    final List<SearchIndex.Row> searched = new ArrayList<>();
    final List<MediaReferences.Row> media = new ArrayList<>();
    final Map<RoomStateKey, States.Row> ended = new LinkedHashMap<>();
    final Map<TransactionKey, EventId> transactions = new LinkedHashMap<>();
    final Set<ForgottenRooms.Row> remembered = new LinkedHashSet<>();
    final Set<ForgottenRooms.Row> forgotten = new LinkedHashSet<>();
    final Map<Receipts.Key, Receipts.Row> receipts = new LinkedHashMap<>();
    /** Entries with a receipt that a newer receipt has replaced. */
    final Set<Receipts.Entry> outdated = new LinkedHashSet<>();

    final List<RoomWork> created = new ArrayList<>();
    /** The events whose first redaction is in this batch. */
    final List<RedactedFact> redactions = new ArrayList<>();

    final Map<TenantRoom, Upgrades.Row> upgraded = new LinkedHashMap<>();
    /** By successor. */
    final Map<TenantRoom, BanCopies.Step> banSteps = new LinkedHashMap<>();

    final List<Upgrades.JoinedMember> joined = new ArrayList<>();
    /** Changes of the room directory for rooms from before the batch. */
    final Map<TenantRoom, Boolean> listed = new LinkedHashMap<>();

    final Map<DeviceLists.Key, Long> deviceLists = new LinkedHashMap<>();

    final Map<DelayedEvents.Key, DelayedEvents.Finish> delayed = new LinkedHashMap<>();

    final List<Purges.Row> purged = new ArrayList<>();

    private final List<States.Row> begun = new ArrayList<>();
    /** The index in {@link #begun} of each piece of state that the batch began and has not ended. */
    private final Map<RoomStateKey, Integer> open = new HashMap<>();

    /** @param at the position of the redaction */
    record RedactedFact(Fact target, long at) {
        TenantRoom room() {
            return target.ref().room();
        }

        long pos() {
            return target.pos();
        }
    }

    List<SearchIndex.Place> redacted() {
        return redactions.stream()
                .map(redaction -> new SearchIndex.Place(redaction.room(), redaction.pos()))
                .toList();
    }

    void event(Events.Row event, EventText text, StateValue value, @Nullable StateValue before) {
        events.add(event);
        if (text.words() != null) {
            var place = new SearchIndex.Place(event.room(), event.pos());
            searched.add(new SearchIndex.Row(place, event.shard(), event.sender(), text.words()));
        }
        media.addAll(MediaReferences.Row.of(event, value.content()));
        if (event.stateKey() != null) {
            state(event.room(), event.type(), event.stateKey(), value, before);
        }
    }

    private void state(TenantRoom room, String type, String stateKey, StateValue value, @Nullable StateValue before) {
        var state = new StateKey(type, stateKey);
        end(new RoomStateKey(room, state), before, value.pos());
        String membership = type.equals(EventTypes.MEMBER) ? RoomWork.membership(value.content()).word : null;
        open.put(new RoomStateKey(room, state), begun.size());
        begun.add(new States.Row(room, state, value.pos(), States.FOR_EVER, value.eventId(), membership));
        if (membership != null) {
            member(room, new UserId(stateKey), RoomWork.membership(value.content()));
            if (membership.equals(Membership.JOIN.word) && !wasJoined(before)) {
                joined.add(new Upgrades.JoinedMember(room, new UserId(stateKey), value.pos()));
            }
        }
    }

    private static boolean wasJoined(@Nullable StateValue before) {
        return before != null && RoomWork.membership(before.content()) == Membership.JOIN;
    }

    private void end(RoomStateKey state, @Nullable StateValue before, long at) {
        Integer index = open.remove(state);
        if (index != null) {
            begun.set(index, ended(begun.get(index), at));
        } else if (before != null) {
            ended.put(state, new States.Row(state.room(), state.state(), before.pos(), at, before.eventId(), null));
        }
    }

    private static States.Row ended(States.Row row, long at) {
        return new States.Row(row.room(), row.state(), row.from(), at, row.event(), row.membership());
    }

    private void member(TenantRoom room, UserId user, Membership membership) {
        if (MemberHistory.isInside(membership)) {
            var row = new ForgottenRooms.Row(room, user);
            forgotten.remove(row);
            remembered.add(row);
        }
    }

    /** Adds the rows of another shard of the batch, or of a new room. Neither set refers to the other. */
    void addAll(BatchRows other) {
        events.addAll(other.events);
        searched.addAll(other.searched);
        media.addAll(other.media);
        begun.addAll(other.begun);
        ended.putAll(other.ended);
        transactions.putAll(other.transactions);
        remembered.addAll(other.remembered);
        forgotten.addAll(other.forgotten);
        receipts.putAll(other.receipts);
        outdated.addAll(other.outdated);
        created.addAll(other.created);
        redactions.addAll(other.redactions);
        upgraded.putAll(other.upgraded);
        banSteps.putAll(other.banSteps);
        joined.addAll(other.joined);
        listed.putAll(other.listed);
        deviceLists.putAll(other.deviceLists);
        delayed.putAll(other.delayed);
        purged.addAll(other.purged);
    }

    List<States.Row> begun() {
        return begun;
    }
}
