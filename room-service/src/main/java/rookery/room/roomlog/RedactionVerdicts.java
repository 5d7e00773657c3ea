// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.platform.event.Redaction;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.Candidate;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfRedaction;
import rookery.room.draft.RoomDraft.OfRetraction;
import rookery.room.roomlog.BatchRows.RedactedFact;
import rookery.room.roomlog.ReferredEvents.Fact;
import rookery.room.table.StateKey;

/** Judges redactions (contract.md 9.6). No I/O. */
final class RedactionVerdicts {
    private final BatchFacts facts;
    private final EntryWriter writer;
    private final BatchRows rows;

    RedactionVerdicts(BatchFacts facts, EntryWriter writer, BatchRows rows) {
        this.facts = facts;
        this.writer = writer;
        this.rows = rows;
    }

    Outcome<RoomAnswer> redaction(OfRedaction draft) {
        var earlier = facts.repeated(draft.txn(), rows);
        if (earlier != null) {
            return Outcomes.unchanged(earlier);
        }
        var room = facts.existing(draft.room());
        var candidate = draft.candidate();
        room.require(candidate);
        facts.referred().requireRelation(draft.room(), candidate);
        var target = facts.referred().find(draft.room(), draft.target());
        if (target == null || !draft.seen()) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event");
        }
        if (!mayRedact(draft, room, target)) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "redacting other users' events takes more power than you have");
        }
        var entry = writer.append(room, draft.id(), candidate, draft.text(), draft.txn(), target);
        if (draft.txn() != null) {
            rows.transactions.put(draft.txn(), draft.id());
        }
        if (!target.redacted()) {
            redact(room, target);
        }
        return Outcomes.accepted(entry, draft.id());
    }

    /** Judges an administrator's redaction, which skips the authorization rules; M_NOT_FOUND for an unknown event. */
    Outcome<RoomAnswer> retraction(OfRetraction draft) {
        var room = facts.required(draft.room());
        var target = facts.referred().find(draft.room(), draft.target());
        if (target == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event");
        }
        if (target.redacted() || target.stateKey() != null) {
            return Outcomes.unchanged(null);
        }
        var candidate = new Candidate(EventTypes.REDACTION, null, draft.sender(), draft.content());
        var entry = writer.append(room, draft.id(), candidate, draft.text(), null, target);
        redact(room, target);
        return Outcomes.accepted(entry, draft.id());
    }

    // all users of a tenant share a server name, so the federation rule of equal domains would let every user redact
    // every event
    private static boolean mayRedact(OfRedaction draft, RoomWork room, Fact target) {
        return target.sender().equals(draft.sender())
                || room.power().of(draft.sender()) >= room.power().redact()
                || draft.admin();
    }

    private void redact(RoomWork room, Fact target) {
        long at = writer.position();
        rows.redactions.add(new RedactedFact(target, at));
        facts.referred().redact(target);
        if (target.stateKey() == null) {
            return;
        }
        var key = new StateKey(target.type(), target.stateKey());
        var value = room.value(key);
        if (value != null && value.eventId().equals(target.ref().id())) {
            room.replace(key, value.withContent(Redaction.content(target.type(), value.content())), at);
        }
    }
}
