package rookery.room.roomlog;

import static rookery.model.event.Membership.BAN;
import static rookery.model.event.Membership.INVITE;
import static rookery.model.event.Membership.JOIN;
import static rookery.model.event.Membership.KNOCK;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.platform.log.EntryDraft;
import rookery.platform.log.Outcome;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import rookery.room.inbox.ProfileCopies.Copy;
import rookery.room.inbox.ProfileCopies.Who;
import rookery.room.inbox.ShownProfile;
import rookery.room.roomlog.RoomDraft.First;
import rookery.room.roomlog.RoomDraft.OfCreation;
import rookery.room.roomlog.RoomDraft.OfEvent;
import rookery.room.roomlog.RoomDraft.OfForgetting;
import rookery.room.roomlog.RoomDraft.OfMember;
import rookery.room.roomlog.RoomDraft.OfProfile;
import tools.jackson.databind.node.ObjectNode;

/** Judges the drafts of one batch in order, each seeing the effects of those before it. No I/O: everything was read before. */
final class BatchVerdicts {
    private static final String SPONSOR = "join_authorised_via_users_server";

    private final BatchFacts facts;
    private final BatchRows rows = new BatchRows();
    private final EntryWriter writer;
    private final long nowMillis;

    BatchVerdicts(BatchFacts facts, long nowMillis) {
        this.facts = facts;
        this.nowMillis = nowMillis;
        this.writer = new EntryWriter(facts.head().pos(), nowMillis, rows);
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
                            case OfMember member -> member(member);
                            case OfCreation creation -> creation(creation);
                            case OfForgetting forgetting -> forgetting(forgetting);
                            case OfProfile profile -> profile(profile);
                        });
            } catch (ApiException refusal) {
                outcomes.add(new Outcome.Refused<>(refusal));
            }
        }
        return outcomes;
    }

    private Outcome<RoomAnswer> event(OfEvent draft) {
        var done = repeated(draft.txn());
        if (done != null) {
            return accepted(List.of(), done);
        }
        var room = existing(draft.room());
        var candidate = new Candidate(draft.type(), draft.stateKey(), draft.sender(), draft.content());
        require(room, candidate);
        var same = draft.stateKey() == null ? null : room.value(new StateKey(draft.type(), draft.stateKey()));
        if (same != null
                && same.sender().equals(draft.sender())
                && same.content().equals(draft.content())) {
            return accepted(List.of(), same.eventId());
        }
        var entry = writer.append(room, draft.id(), candidate, draft.txn());
        if (draft.txn() != null) {
            rows.transactions.put(draft.txn(), draft.id());
        }
        return accepted(List.of(entry), draft.id());
    }

    private @Nullable EventId repeated(@Nullable TransactionKey txn) {
        if (txn == null) {
            return null;
        }
        var earlier = facts.transactions().get(txn);
        return earlier != null ? earlier : rows.transactions.get(txn);
    }

    private Outcome<RoomAnswer> member(OfMember draft) {
        var room = facts.rooms().get(draft.room());
        if (room == null) {
            boolean comesIn = draft.action() == MemberAction.JOIN || draft.action() == MemberAction.KNOCK;
            throw comesIn
                    ? new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")
                    : new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
        }
        requirePresent(draft);
        var content = content(draft, room);
        var candidate = new Candidate(
                EventTypes.MEMBER, draft.target().value(), draft.sender(), content, draft.restrictionMet());
        var same = room.value(StateKey.member(draft.target()));
        if (isSoAlready(draft, room, candidate)) {
            return accepted(List.of(), same == null ? null : same.eventId());
        }
        require(room, candidate);
        if (same != null
                && same.sender().equals(draft.sender())
                && same.content().equals(content)) {
            return accepted(List.of(), same.eventId());
        }
        return accepted(List.of(writer.append(room, draft.id(), candidate, null)), draft.id());
    }

    /** The no-ops and the refusals that the rules alone do not know (CONTRACT.md 8.1). */
    private static boolean isSoAlready(OfMember draft, RoomWork room, Candidate candidate) {
        var current = room.membership(draft.target());
        return switch (draft.action()) {
            case JOIN -> current == JOIN;
            case SET_JOIN -> false;
            case KNOCK -> current == KNOCK;
            case INVITE -> {
                // whoever may not invite learns nothing of an invitation
                yield current == INVITE && isAllowed(room, candidate);
            }
            case LEAVE -> {
                boolean hasLeft = current != JOIN && current != INVITE && current != KNOCK && current != BAN;
                yield hasLeft && room.hasHeardOf(draft.target());
            }
            case BAN -> current == BAN && isAllowed(room, candidate);
            case KICK, SET_LEAVE -> {
                boolean lifts = draft.action() == MemberAction.SET_LEAVE && current == BAN;
                if (!lifts && current != JOIN && current != INVITE && current != KNOCK) {
                    throw new ApiException(ErrorCode.M_FORBIDDEN, "they are not in the room");
                }
                yield false;
            }
            case UNBAN -> {
                if (current != BAN) {
                    throw notBanned(room, draft.sender());
                }
                yield false;
            }
        };
    }

    private static ApiException notBanned(RoomWork room, UserId sender) {
        boolean may = room.membership(sender) == JOIN
                && room.power().of(sender)
                        >= Math.max(room.power().ban(), room.power().kick());
        return may
                ? new ApiException(ErrorCode.M_BAD_STATE, "they are not banned")
                : new ApiException(ErrorCode.M_FORBIDDEN, "lifting a ban takes more power than you have");
    }

    private ObjectNode content(OfMember draft, RoomWork room) {
        var content = draft.extra().deepCopy();
        content.put("membership", draft.action().membership.word);
        content.remove(SPONSOR);
        if (draft.profile() != null) {
            newest(draft.room(), draft.target(), draft.profile()).putInto(content);
        }
        boolean restricted =
                room.joinRule().equals("restricted") || room.joinRule().equals("knock_restricted");
        var current = room.membership(draft.target());
        if (draft.action().membership == JOIN && restricted && current != JOIN && current != INVITE) {
            var sponsor = facts.sponsors().get(draft.room());
            if (sponsor != null) {
                room.vouch(sponsor);
                content.put(SPONSOR, sponsor.value());
            }
        }
        return content;
    }

    /** Who is gone for good comes in nowhere, whatever was asked just before. */
    private void requirePresent(OfMember draft) {
        if (draft.action().comesIn() && isDeparted(draft.room(), draft.target())) {
            throw draft.sender().equals(draft.target())
                    ? new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated")
                    : new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user");
        }
    }

    private boolean isDeparted(RoomKey room, UserId user) {
        var copy = facts.copies().get(new Who(room.tenant(), user));
        return copy != null && copy.departed();
    }

    /** What was answered before the lock, unless the user log has brought a newer one since. */
    private ShownProfile newest(RoomKey room, UserId user, ShownProfile answered) {
        var copy = facts.copies().get(new Who(room.tenant(), user));
        return copy != null && copy.profile() != null && copy.profile().isNewerThan(answered)
                ? copy.profile()
                : answered;
    }

    private Outcome<RoomAnswer> profile(OfProfile draft) {
        var room = facts.rooms().get(draft.room());
        var copy = facts.copies().get(new Who(draft.room().tenant(), draft.sender()));
        var shown = room == null ? null : room.value(StateKey.member(draft.sender()));
        var profile = copy == null ? null : copy.profile();
        if (room == null || shown == null || profile == null) {
            return accepted(List.of(), null);
        }
        if (room.membership(draft.sender()) != JOIN || profile.isShownBy(shown.content())) {
            return accepted(List.of(), null);
        }
        var content = shown.content().deepCopy();
        content.remove(SPONSOR);
        profile.putInto(content);
        var candidate = new Candidate(EventTypes.MEMBER, draft.sender().value(), draft.sender(), content, false);
        return switch (AuthRules.judge(room, room.powerLevelsOrEmpty(), candidate)) {
            case Allowed() -> accepted(List.of(writer.append(room, draft.id(), candidate, null)), draft.id());
            case Denied(String _) ->
                accepted(List.of(), null); // a room that lets nobody join keeps its members as they are
        };
    }

    private Outcome<RoomAnswer> creation(OfCreation draft) {
        if (isDeparted(draft.room(), draft.sender())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated");
        }
        var room = new RoomWork(draft.room());
        if (facts.rooms().containsKey(draft.room())) {
            throw new IllegalStateException("room ids are never used twice");
        }
        var entries = new ArrayList<EntryDraft>();
        // aside, because a refused event leaves nothing of the whole unit
        var unitRows = new BatchRows();
        var unit = new EntryWriter(writer.position(), nowMillis, unitRows);
        for (First first : draft.events()) {
            var candidate = new Candidate(first.type(), first.stateKey(), draft.sender(), content(draft, first));
            switch (AuthRules.judge(room, room.powerLevelsOrEmpty(), candidate)) {
                case Allowed() -> entries.add(unit.append(room, first.id(), candidate, null));
                case Denied(String reason) -> {
                    if (!first.optional()) {
                        throw new ApiException(ErrorCode.M_INVALID_ROOM_STATE, first.type() + ": " + reason);
                    }
                }
            }
        }
        writer.continueAt(unit.position());
        rows.addAll(unitRows);
        facts.rooms().put(draft.room(), room);
        rows.created.add(new BatchRows.Created(room, draft.shard()));
        return accepted(entries, draft.events().getFirst().id());
    }

    private ObjectNode content(OfCreation draft, First first) {
        if (first.profile() == null) {
            return first.content();
        }
        var content = first.content().deepCopy();
        newest(draft.room(), new UserId(Objects.requireNonNull(first.stateKey())), first.profile())
                .putInto(content);
        return content;
    }

    private Outcome<RoomAnswer> forgetting(OfForgetting draft) {
        var room = existing(draft.room());
        var membership = room.membership(draft.sender());
        if (membership == JOIN || membership == INVITE || membership == KNOCK) {
            throw new ApiException(ErrorCode.M_UNKNOWN, "leave the room before you forget it").withStatus(400);
        }
        if (!room.hasHeardOf(draft.sender())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you were never in the room");
        }
        var row = new Forgotten.Row(draft.room(), draft.sender());
        rows.remembered.remove(row);
        rows.forgotten.add(row);
        return accepted(List.of(), null);
    }

    private RoomWork existing(RoomKey key) {
        var room = facts.rooms().get(key);
        if (room == null) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
        }
        return room;
    }

    private static void require(RoomWork room, Candidate candidate) {
        switch (AuthRules.judge(room, room.powerLevelsOrEmpty(), candidate)) {
            case Allowed() -> {}
            case Denied(String reason) -> throw new ApiException(ErrorCode.M_FORBIDDEN, reason);
        }
    }

    private static boolean isAllowed(RoomWork room, Candidate candidate) {
        require(room, candidate);
        return true;
    }

    private static Outcome<RoomAnswer> accepted(List<EntryDraft> entries, @Nullable EventId id) {
        return new Outcome.Accepted<>(entries, id == null ? RoomAnswer.NOTHING_TO_DO : new RoomAnswer(id));
    }

    /** What was read for the batch, by room and transaction. */
    record BatchFacts(
            rookery.platform.log.Head head,
            Map<RoomKey, RoomWork> rooms,
            Map<TransactionKey, EventId> transactions,
            Map<RoomKey, UserId> sponsors,
            Map<Who, Copy> copies) {}
}
