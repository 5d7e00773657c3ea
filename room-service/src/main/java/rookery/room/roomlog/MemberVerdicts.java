// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.model.event.Membership.BAN;
import static rookery.model.event.Membership.INVITE;
import static rookery.model.event.Membership.JOIN;
import static rookery.model.event.Membership.KNOCK;
import static rookery.model.event.Membership.LEAVE;

import java.util.List;
import java.util.Optional;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.MemberHistory;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfExpulsion;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.draft.RoomDraft.OfProfile;
import rookery.room.draft.RoomDraft.OfPromotion;
import rookery.room.table.StateKey;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Judges changes of memberships and of members' profiles (contract.md 8.3). No I/O. */
final class MemberVerdicts {
    private static final String SPONSOR = "join_authorised_via_users_server";

    /** The power of administrators of rooms, if the power levels name no user. */
    private static final long ALL_POWER = 100;

    private final BatchFacts facts;
    private final EntryWriter writer;
    private final RoomLimits limits;

    MemberVerdicts(BatchFacts facts, EntryWriter writer, RoomLimits limits) {
        this.facts = facts;
        this.writer = writer;
        this.limits = limits;
    }

    Outcome<RoomAnswer> member(OfMember draft) {
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
            return Outcomes.unchanged(same == null ? null : same.eventId());
        }
        room.require(candidate);
        requirePlace(draft, room);
        if (same != null
                && same.sender().equals(draft.sender())
                && same.content().equals(content)) {
            return Outcomes.unchanged(same.eventId());
        }
        if (MemberHistory.isInside(draft.action().membership)) {
            limits.moreEvents().accept(draft.room().tenant()); // leaving and banning go on
        }
        return Outcomes.accepted(writer.append(room, draft.id(), candidate), draft.id());
    }

    /** M_RESOURCE_LIMIT_EXCEEDED if the room has as many members as rooms of the tenant may have (contract.md 20). */
    private void requirePlace(OfMember draft, RoomWork room) {
        long most = limits.membersMax().applyAsLong(draft.room().tenant());
        if (draft.action().membership == JOIN && room.membership(draft.target()) != JOIN && room.joined() >= most) {
            throw new ApiException(
                    ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                    "rooms of this server have at most %d members: ask its administrators".formatted(most));
        }
    }

    /** Judges an administrator's removal, which skips the authorization rules; M_FORBIDDEN for a target outside of the room. */
    Outcome<RoomAnswer> expel(OfExpulsion draft) {
        var room = facts.required(draft.room());
        var current = room.membership(draft.target());
        if (draft.ban() && current == BAN) {
            return Outcomes.unchanged(null);
        }
        if (!draft.ban() && !MemberHistory.isInside(current)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "they are not in the room");
        }
        var content = JsonNodeFactory.instance.objectNode().put("membership", (draft.ban() ? BAN : LEAVE).word);
        if (draft.reason() != null) {
            content.put("reason", draft.reason());
        }
        var candidate = new Candidate(EventTypes.MEMBER, draft.target().value(), draft.sender(), content, false);
        return Outcomes.accepted(writer.append(room, draft.id(), candidate), draft.id());
    }

    /** Judges an administrator's promotion, which skips the authorization rules; M_FORBIDDEN for a target who is not a member. */
    Outcome<RoomAnswer> promote(OfPromotion draft) {
        var room = facts.required(draft.room());
        if (room.membership(draft.target()) != JOIN) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "they are not in the room");
        }
        var power = room.power();
        long most = Math.max(
                power.required(EventTypes.POWER_LEVELS, true),
                power.users().values().stream().mapToLong(level -> level).max().orElse(ALL_POWER));
        if (power.of(draft.target()) >= most) {
            return Outcomes.unchanged(null);
        }
        var current = room.value(StateKey.of(EventTypes.POWER_LEVELS));
        var content = current == null
                ? JsonNodeFactory.instance.objectNode()
                : current.content().deepCopy();
        var users = content.withObjectProperty("users");
        if (current == null) {
            power.users().forEach(users::put); // the creator's power, which no event says
        }
        users.put(draft.target().value(), most);
        var candidate = new Candidate(EventTypes.POWER_LEVELS, "", draft.sender(), content, false);
        return Outcomes.accepted(writer.append(room, draft.id(), candidate), draft.id());
    }

    /** The no-ops and refusals beyond the authorization rules (contract.md 8.1). */
    private static boolean isSoAlready(OfMember draft, RoomWork room, Candidate candidate) {
        var current = room.membership(draft.target());
        return switch (draft.action()) {
            case JOIN -> current == JOIN;
            case SET_JOIN -> false;
            case KNOCK -> current == KNOCK && draft.sender().equals(draft.target());
            case INVITE, BAN -> {
                boolean isSo = current == draft.action().membership;
                if (isSo) {
                    room.require(candidate); // a sender without the power does not learn of an invitation or ban
                }
                yield isSo;
            }
            case LEAVE -> current == LEAVE && room.hasHeardOf(draft.target());
            case KICK, SET_LEAVE -> {
                boolean lifts = draft.action() == MemberAction.SET_LEAVE && current == BAN;
                if (!lifts && !MemberHistory.isInside(current)) {
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
            facts.newest(draft.room(), draft.target(), draft.profile()).putInto(content);
        }
        boolean restricted = room.core().joinRule().isRestricted();
        var current = room.membership(draft.target());
        if (draft.action().membership == JOIN && restricted && current != JOIN && current != INVITE) {
            sponsor(draft, room).ifPresent(sponsor -> content.put(SPONSOR, sponsor.value()));
        }
        return content;
    }

    /** A member who may still invite after the earlier drafts of the batch. */
    private Optional<UserId> sponsor(OfMember draft, RoomWork room) {
        var sponsors = facts.sponsors().getOrDefault(draft.room(), List.of());
        sponsors.forEach(room::vouch);
        return sponsors.stream()
                .filter(user -> room.membership(user) == JOIN)
                .filter(user -> room.power().of(user) >= room.power().invite())
                .findFirst();
    }

    /** Deactivated users do not enter rooms, also when the request came before the deactivation. */
    private void requirePresent(OfMember draft) {
        if (draft.action().comesIn() && facts.isDeparted(draft.room(), draft.target())) {
            throw draft.sender().equals(draft.target())
                    ? new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated")
                    : new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user");
        }
    }

    Outcome<RoomAnswer> profile(OfProfile draft) {
        var room = facts.rooms().get(draft.room());
        var copy = facts.copies().get(new TenantUser(draft.room().tenant(), draft.sender()));
        var shown = room == null ? null : room.value(StateKey.member(draft.sender()));
        var profile = copy == null ? null : copy.profile();
        if (room == null || shown == null || profile == null) {
            return Outcomes.unchanged(null);
        }
        if (room.membership(draft.sender()) != JOIN || profile.isShownBy(shown.content())) {
            return Outcomes.unchanged(null);
        }
        var content = shown.content().deepCopy();
        content.remove(SPONSOR);
        profile.putInto(content);
        var candidate = new Candidate(EventTypes.MEMBER, draft.sender().value(), draft.sender(), content, false);
        return room.isAllowed(candidate)
                ? Outcomes.accepted(writer.append(room, draft.id(), candidate), draft.id())
                : Outcomes.unchanged(null); // a room whose rules refuse joins keeps the old profile
    }
}
