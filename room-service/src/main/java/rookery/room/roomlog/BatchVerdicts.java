// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.model.event.Membership.JOIN;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.Delayable;
import rookery.room.draft.RoomDraft.FirstEvent;
import rookery.room.draft.RoomDraft.OfBans;
import rookery.room.draft.RoomDraft.OfCreation;
import rookery.room.draft.RoomDraft.OfDelayed;
import rookery.room.draft.RoomDraft.OfDeviceList;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.draft.RoomDraft.OfExpulsion;
import rookery.room.draft.RoomDraft.OfForgetting;
import rookery.room.draft.RoomDraft.OfListing;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.draft.RoomDraft.OfProfile;
import rookery.room.draft.RoomDraft.OfPromotion;
import rookery.room.draft.RoomDraft.OfPurge;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.draft.RoomDraft.OfRedaction;
import rookery.room.draft.RoomDraft.OfRetraction;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.table.DelayedEvents.Finish;
import rookery.room.table.ForgottenRooms;
import rookery.room.table.Purges;
import rookery.room.table.StateKey;
import tools.jackson.databind.node.ObjectNode;

/** Judges the drafts of one shard in order; each draft sees the effects of the drafts before. No I/O: all facts are read. */
final class BatchVerdicts {
    /** State that members need to tidy a room at its limit, or to move to another room. */
    private static final Set<String> GOVERNING =
            Set.of(EventTypes.POWER_LEVELS, EventTypes.JOIN_RULES, EventTypes.HISTORY_VISIBILITY, EventTypes.TOMBSTONE);

    private final BatchFacts facts;
    private final RoomLimits limits;
    private final BatchRows rows = new BatchRows();
    private final EntryWriter writer;
    private final MemberVerdicts members;
    private final ReceiptVerdicts receipts;
    private final RedactionVerdicts redactions;
    private final UpgradeVerdicts upgrades;

    BatchVerdicts(BatchFacts facts, Head head, RoomLimits limits, long nowMillis) {
        this.facts = facts;
        this.limits = limits;
        this.writer = new EntryWriter(head.shard(), head.pos(), nowMillis, rows, facts.referred());
        this.members = new MemberVerdicts(facts, writer, limits);
        this.receipts = new ReceiptVerdicts(facts, writer, rows, nowMillis);
        this.redactions = new RedactionVerdicts(facts, writer, rows);
        this.upgrades = new UpgradeVerdicts(facts, rows, writer);
    }

    BatchRows rows() {
        return rows;
    }

    List<Outcome<RoomAnswer>> judge(List<RoomDraft> drafts) {
        var outcomes = new ArrayList<Outcome<RoomAnswer>>(drafts.size());
        for (var draft : drafts) {
            try {
                outcomes.add(
                        switch (draft) {
                            case OfEvent event -> event(event);
                            case OfRedaction redaction -> redactions.redaction(redaction);
                            case OfRetraction retraction -> redactions.retraction(retraction);
                            case OfMember member -> members.member(member);
                            case OfCreation creation -> creation(creation);
                            case OfUpgrade upgrade -> upgrades.upgrade(upgrade);
                            case OfBans bans -> upgrades.bans(bans);
                            case OfDelayed delayed -> delayed(delayed);
                            case OfForgetting forgetting -> forgetting(forgetting);
                            case OfProfile profile -> members.profile(profile);
                            case OfExpulsion expulsion -> members.expel(expulsion);
                            case OfPromotion promotion -> members.promote(promotion);
                            case OfListing listing -> listing(listing);
                            case OfPurge purge -> purge(purge);
                            case OfDeviceList list ->
                                Outcomes.accepted(
                                        writer.deviceList(list.room().tenant(), list.sender(), list.rooms()), null);
                            case OfReceipts read -> receipts.receipts(outcomes.size(), read);
                        });
            } catch (ApiException refusal) {
                outcomes.add(new Outcome.Refused<>(refusal));
            }
        }
        receipts.putInto(outcomes);
        return outcomes;
    }

    private Outcome<RoomAnswer> event(OfEvent draft) {
        var room = facts.existing(draft.room());
        var earlier = facts.repeated(draft.txn(), rows);
        if (earlier != null) {
            return Outcomes.unchanged(earlier);
        }
        var candidate = draft.candidate();
        room.require(candidate);
        facts.referred().requireRelation(draft.room(), candidate);
        var same = draft.stateKey() == null ? null : room.value(new StateKey(draft.type(), draft.stateKey()));
        if (same != null
                && same.sender().equals(draft.sender())
                && same.content().equals(draft.content())) {
            return Outcomes.unchanged(same.eventId());
        }
        requireSpace(room, candidate);
        limits.moreEvents().accept(draft.room().tenant());
        var entry = writer.append(room, draft.id(), candidate, draft.text(), draft.txn(), null);
        if (draft.txn() != null) {
            rows.transactions.put(draft.txn(), draft.id());
        }
        return Outcomes.accepted(entry, draft.id());
    }

    /** Sends a delayed event at most once: later drafts of the batch, and of later batches, find the event finished. */
    private Outcome<RoomAnswer> delayed(OfDelayed draft) {
        var due = facts.delayed().get(draft.key());
        if (due == null || (draft.dueMillis() != null && !due.equals(draft.dueMillis()))) {
            return Outcomes.unchanged(null);
        }
        try {
            var outcome = writer.sending(draft.key().delayId(), () -> judged(draft.judged()));
            if (outcome instanceof Outcome.Accepted<RoomAnswer>(var _, var answer)) {
                finish(draft, Finish.sent(answer.eventId()));
            }
            return outcome;
        } catch (ApiException refusal) {
            if (draft.dueMillis() == null) {
                throw refusal;
            }
            finish(draft, Finish.refused(refusal));
            return Outcomes.unchanged(null);
        }
    }

    private Outcome<RoomAnswer> judged(Delayable draft) {
        return switch (draft) {
            case OfEvent event -> event(event);
            case OfRedaction redaction -> redactions.redaction(redaction);
            case OfMember member -> members.member(member);
        };
    }

    private void finish(OfDelayed draft, Finish finish) {
        facts.delayed().remove(draft.key());
        rows.delayed.put(draft.key(), finish);
    }

    /** State that shrinks is always accepted, and so is governing state: a room has one piece of each governing type. */
    private void requireSpace(RoomWork room, Candidate candidate) {
        var stateKey = candidate.stateKey();
        if (stateKey == null || (stateKey.isEmpty() && GOVERNING.contains(candidate.type()))) {
            return;
        }
        long max = limits.stateBytesMax().applyAsLong(room.key.tenant());
        long growth = room.growth(new StateKey(candidate.type(), stateKey), candidate.content());
        if (growth > 0 && room.stateBytes() + growth > max) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN,
                    "the state of a room may have at most " + max + " bytes: redact some of it, or replace it by less");
        }
    }

    private Outcome<RoomAnswer> creation(OfCreation draft) {
        facts.requireActive(draft.room(), draft.sender());
        limits.moreEvents().accept(draft.room().tenant());
        var room = new RoomWork(draft.room());
        if (facts.rooms().containsKey(draft.room())) {
            throw new IllegalStateException("room ids are never used twice");
        }
        var entries = new ArrayList<EntryDraft>();
        // rows of their own: a refused event discards the whole creation
        var unitRows = new BatchRows();
        var unit = new EntryWriter(writer.shard(), writer.position(), draft.madeAtMillis(), unitRows, facts.referred());
        for (FirstEvent first : draft.events()) {
            var candidate = new Candidate(first.type(), first.stateKey(), draft.sender(), content(draft, first));
            switch (AuthRules.judge(room, candidate)) {
                case Allowed() ->
                    entries.add(
                            first.profile() == null
                                    ? unit.append(room, first.id(), candidate, first.text(), null, null)
                                    : unit.append(room, first.id(), candidate));
                case Denied(String reason) -> {
                    if (!first.optional()) {
                        throw new ApiException(ErrorCode.M_INVALID_ROOM_STATE, first.type() + ": " + reason);
                    }
                }
            }
        }
        if (draft.published()) {
            entries.add(unit.list(room, true));
        }
        writer.continueAt(unit.position());
        rows.addAll(unitRows);
        facts.rooms().put(draft.room(), room);
        rows.created.add(room);
        return Outcomes.accepted(entries, draft.events().getFirst().id());
    }

    private ObjectNode content(OfCreation draft, FirstEvent first) {
        if (first.profile() == null) {
            return first.content();
        }
        var content = first.content().deepCopy();
        facts.newest(draft.room(), new UserId(Objects.requireNonNull(first.stateKey())), first.profile())
                .putInto(content);
        return content;
    }

    /** Allowed for members with the power to change the canonical alias, and for administrators of the tenant, members or not. */
    private Outcome<RoomAnswer> listing(OfListing draft) {
        var room = facts.required(draft.room());
        boolean may = room.membership(draft.sender()) == JOIN
                && room.power().of(draft.sender()) >= room.power().required(EventTypes.CANONICAL_ALIAS, true);
        if (!may && !draft.admin()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "listing this room takes more power than you have");
        }
        if (room.isPublished() == draft.published()) {
            return Outcomes.unchanged(null);
        }
        rows.listed.put(draft.room(), draft.published());
        return Outcomes.accepted(writer.list(room, draft.published()), null);
    }

    private Outcome<RoomAnswer> purge(OfPurge draft) {
        var room = facts.required(draft.room());
        facts.rooms().remove(draft.room()); // later drafts of the batch find no room
        var entry = writer.purge(room, draft.sender());
        rows.purged.add(new Purges.Row(draft.room(), draft.sender(), writer.position()));
        return Outcomes.accepted(entry, null);
    }

    private Outcome<RoomAnswer> forgetting(OfForgetting draft) {
        var room = facts.existing(draft.room());
        var membership = room.membership(draft.sender());
        if (MemberHistory.isInside(membership)) {
            throw new ApiException(ErrorCode.M_UNKNOWN, "leave the room before you forget it").withStatus(400);
        }
        if (!room.hasHeardOf(draft.sender())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you were never in the room");
        }
        var row = new ForgottenRooms.Row(draft.room(), draft.sender());
        rows.remembered.remove(row);
        rows.forgotten.add(row);
        return Outcomes.unchanged(null);
    }
}
