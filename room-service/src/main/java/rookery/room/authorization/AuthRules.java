// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static rookery.model.event.Membership.BAN;
import static rookery.model.event.Membership.INVITE;
import static rookery.model.event.Membership.JOIN;
import static rookery.model.event.Membership.KNOCK;

import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.event.RoomVersion;
import rookery.model.id.UserId;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import tools.jackson.databind.node.ObjectNode;

/**
 * The authorization rules of the room versions for a room whose events form a list (contract.md 9.4). The first rule that
 * matches decides. Pure: no I/O, no clock.
 */
public final class AuthRules {
    private static final Allowed ALLOWED = new Allowed();

    private AuthRules() {}

    /** Judges an event against the state before the event. */
    public static Verdict judge(RoomState state, Candidate candidate) {
        if (candidate.type().equals(EventTypes.CREATE)) {
            return create(state, candidate);
        }
        if (state.core().creator() == null) {
            return new Denied("the room has not been created");
        }
        if (candidate.type().equals(EventTypes.MEMBER)) {
            return member(state, candidate);
        }
        if (state.membership(candidate.sender()) != JOIN) {
            return new Denied("you are not in the room");
        }
        long power = state.core().power().of(candidate.sender());
        if (candidate.type().equals(EventTypes.THIRD_PARTY_INVITE) && candidate.stateKey() != null) {
            return power >= state.core().power().invite()
                    ? ALLOWED
                    : new Denied("inviting takes more power than you have");
        }
        String key = candidate.stateKey();
        if (power < state.core().power().required(candidate.type(), key != null)) {
            return new Denied("sending " + candidate.type() + " takes more power than you have");
        }
        if (key != null && key.startsWith("@") && !key.equals(candidate.sender().value())) {
            return new Denied("this state belongs to " + key);
        }
        if (candidate.type().equals(EventTypes.POWER_LEVELS) && key != null) {
            return PowerLevelRules.judge(state.core(), candidate);
        }
        return ALLOWED;
    }

    /** Why the content is no valid content of {@code m.room.power_levels}; null for valid content. */
    public static @Nullable String malformedPowerLevels(ObjectNode content) {
        return PowerLevelRules.malformed(content);
    }

    private static Verdict create(RoomState state, Candidate candidate) {
        if (state.core().creator() != null || state.events() > 0) {
            return new Denied("the room exists already");
        }
        var version = candidate.content().path("room_version").stringValueOpt().flatMap(RoomVersion::of);
        if (version.isEmpty()) {
            return new Denied("this room version is not supported");
        }
        String malformed = Creators.malformed(version.get(), candidate.sender(), candidate.content());
        return malformed == null ? ALLOWED : new Denied(malformed);
    }

    private static Verdict member(RoomState state, Candidate candidate) {
        var target = target(candidate);
        var word = candidate.content().get("membership");
        if (target == null || word == null || !word.isString()) {
            return new Denied("a member event needs a user and a membership");
        }
        var membership = Membership.of(word.stringValue());
        if (membership.isEmpty()) {
            return new Denied("there is no such membership");
        }
        return switch (membership.get()) {
            case JOIN -> join(state, candidate, target);
            case INVITE -> invite(state, candidate, target);
            case LEAVE -> leave(state, candidate, target);
            case BAN -> ban(state, candidate, target);
            case KNOCK -> knock(state, candidate, target);
        };
    }

    private static Verdict join(RoomState state, Candidate candidate, UserId target) {
        if (state.events() == 1 && target.equals(state.core().creator()) && target.equals(candidate.sender())) {
            return ALLOWED;
        }
        if (!candidate.sender().equals(target)) {
            return new Denied("users join for themselves only");
        }
        var current = state.membership(target);
        if (current == BAN) {
            return new Denied("you are banned from the room");
        }
        return switch (state.core().joinRule()) {
            case PUBLIC -> ALLOWED;
            case INVITE, KNOCK -> current == INVITE || current == JOIN ? ALLOWED : new Denied("you are not invited");
            case RESTRICTED, KNOCK_RESTRICTED -> restricted(state, candidate, current);
            case PRIVATE -> new Denied("the join rule of the room allows no joins");
        };
    }

    private static Verdict restricted(RoomState state, Candidate candidate, Membership current) {
        if (current == INVITE || current == JOIN) {
            return ALLOWED;
        }
        var via = candidate.content().get("join_authorised_via_users_server");
        var sponsor = via == null || !via.isString() ? null : userId(via.stringValue());
        boolean sponsored = sponsor != null
                && state.membership(sponsor) == JOIN
                && state.core().power().of(sponsor) >= state.core().power().invite();
        return candidate.restrictionMet() && sponsored
                ? ALLOWED
                : new Denied("you are in none of the rooms whose members may join");
    }

    private static Verdict invite(RoomState state, Candidate candidate, UserId target) {
        if (candidate.content().has("third_party_invite")) {
            return new Denied("invitations through third parties are not offered");
        }
        if (state.membership(candidate.sender()) != JOIN) {
            return new Denied("you are not in the room");
        }
        var current = state.membership(target);
        if (current == JOIN || current == BAN) {
            return new Denied(current == JOIN ? "they are in the room already" : "they are banned from the room");
        }
        return state.core().power().of(candidate.sender())
                        >= state.core().power().invite()
                ? ALLOWED
                : new Denied("inviting takes more power than you have");
    }

    private static Verdict leave(RoomState state, Candidate candidate, UserId target) {
        var current = state.membership(target);
        if (candidate.sender().equals(target)) {
            return current == INVITE || current == JOIN || current == KNOCK
                    ? ALLOWED
                    : new Denied("you are not in the room");
        }
        if (state.membership(candidate.sender()) != JOIN) {
            return new Denied("you are not in the room");
        }
        var power = state.core().power();
        long own = power.of(candidate.sender());
        if (current == BAN && own < power.ban()) {
            return new Denied("lifting a ban takes more power than you have");
        }
        return own >= power.kick() && power.of(target) < own
                ? ALLOWED
                : new Denied("removing them takes more power than you have");
    }

    private static Verdict ban(RoomState state, Candidate candidate, UserId target) {
        if (state.membership(candidate.sender()) != JOIN) {
            return new Denied("you are not in the room");
        }
        var power = state.core().power();
        long own = power.of(candidate.sender());
        return own >= power.ban() && power.of(target) < own
                ? ALLOWED
                : new Denied("banning them takes more power than you have");
    }

    private static Verdict knock(RoomState state, Candidate candidate, UserId target) {
        if (!state.core().joinRule().allowsKnocks()) {
            return new Denied("the room takes no knocks");
        }
        if (!candidate.sender().equals(target)) {
            return new Denied("users knock for themselves only");
        }
        var current = state.membership(target);
        return current == BAN || current == INVITE || current == JOIN ? new Denied("you cannot knock now") : ALLOWED;
    }

    private static @Nullable UserId target(Candidate candidate) {
        return candidate.stateKey() == null ? null : userId(candidate.stateKey());
    }

    /** Null for a text that is no user id. */
    static @Nullable UserId userId(String text) {
        try {
            return new UserId(text);
        } catch (ApiException e) {
            return null;
        }
    }
}
