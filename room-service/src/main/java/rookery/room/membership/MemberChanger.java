// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.inbox.ShownProfile;
import rookery.room.roomlog.RoomLog;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes memberships: gathers facts from other shards and services; the verdict is the room log's. */
@Component
public class MemberChanger {
    private static final int ADDITIONS_BYTES_MAX = 4_096;
    private static final List<String> FROM_PROFILE = List.of("displayname", "avatar_url");
    /** Fields of a join's body that do not go into the event (contract.md 8.1). */
    private static final List<String> NOT_FROM_BODY = List.of(
            "membership",
            "displayname",
            "avatar_url",
            "join_authorised_via_users_server",
            "third_party_invite",
            "third_party_signed");

    private final RoomLog roomLog;
    private final ProfileClient profiles;
    private final JoinConditions conditions;
    private final RandomGenerator random;

    MemberChanger(RoomLog roomLog, ProfileClient profiles, JoinConditions conditions, RandomGenerator random) {
        this.roomLog = roomLog;
        this.profiles = profiles;
        this.conditions = conditions;
        this.random = random;
    }

    /** The action on the target. A join takes fields of the client's body into the event, all others the reason only. */
    Mono<RoomAnswer> change(Caller caller, RoomId room, UserId target, MemberAction action, JsonBody body) {
        return change(caller, room, target, action, action == MemberAction.JOIN ? joining(body) : extra(body));
    }

    /** A membership set as state; the action depends on sender, target and membership (contract.md 8.3). */
    public Mono<OfMember> setting(Caller caller, RoomId room, UserId target, JsonBody content) {
        var action = switch (requireMembership(content)) {
            case JOIN -> MemberAction.SET_JOIN;
            case INVITE -> MemberAction.INVITE;
            case LEAVE -> target.equals(caller.user()) ? MemberAction.LEAVE : MemberAction.SET_LEAVE;
            case BAN -> MemberAction.BAN;
            case KNOCK -> MemberAction.KNOCK;
        };
        return checked(caller, room, target, action, content.json().deepCopy());
    }

    /** M_INVALID_PARAM for content that sets no membership, or shows an avatar outside of the media repository. */
    public static Membership requireMembership(JsonBody content) {
        requireMedia(content);
        return Membership.of(content.string("membership"))
                .orElseThrow(() -> new ApiException(ErrorCode.M_INVALID_PARAM, "there is no such membership"));
    }

    /** M_INVALID_PARAM for an avatar outside of the media repository. */
    public static void requireMedia(JsonBody content) {
        String avatar = content.optionalString("avatar_url");
        if (avatar != null && !avatar.isEmpty() && !avatar.startsWith("mxc://")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "avatar_url is the mxc:// address of uploaded media");
        }
    }

    private Mono<RoomAnswer> change(Caller caller, RoomId room, UserId target, MemberAction action, ObjectNode extra) {
        return checked(caller, room, target, action, extra).flatMap(roomLog::append);
    }

    private Mono<OfMember> checked(Caller caller, RoomId room, UserId target, MemberAction action, ObjectNode extra) {
        // one after the other: a failure must not cancel a running query
        return Mono.defer(() -> draft(caller, room, target, action, extra))
                .zipWhen(_ -> conditions.areMet(new TenantRoom(caller.tenant(), room), target, action))
                .map(facts -> facts.getT1().withRestrictionMet(facts.getT2()));
    }

    /**
     * Adds the target's profile if the target enters the room; M_NOT_FOUND for an unknown user, M_INVITE_BLOCKED for a
     * user who blocks invitations.
     */
    private Mono<OfMember> draft(Caller caller, RoomId room, UserId target, MemberAction action, ObjectNode extra) {
        if (!action.comesIn()) {
            FROM_PROFILE.forEach(extra::remove);
            return Mono.just(draft(caller, room, target, action, extra, null));
        }
        var users = List.of(target);
        return profiles.find(caller.tenant(), users, action == MemberAction.INVITE ? users : List.of())
                .map(profiles -> draft(caller, room, target, action, extra, profile(profiles, target, action, extra)));
    }

    private OfMember draft(
            Caller caller,
            RoomId room,
            UserId target,
            MemberAction action,
            ObjectNode extra,
            @Nullable ShownProfile profile) {
        var id = EventLine.newId(random);
        var key = new TenantRoom(caller.tenant(), room);
        var text = EventText.of(key, EventTypes.MEMBER, target.value(), extra);
        int bytes = EventLine.bytes(id, room, EventTypes.MEMBER, target.value(), caller.user(), text);
        // the server adds the profile and few other fields, for which this is ample
        if (bytes > EventLine.BYTES_MAX - ADDITIONS_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "an event has at most " + EventLine.BYTES_MAX + " bytes");
        }
        return new OfMember(key, caller.user(), target, id, action, extra, false, profile);
    }

    /** Null if the sender set profile fields in the content. */
    private static @Nullable ShownProfile profile(
            Map<String, ShownProfile> profiles, UserId target, MemberAction action, ObjectNode extra) {
        var profile = profiles.get(target.value());
        if (profile == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user");
        }
        boolean ownValues =
                action == MemberAction.SET_JOIN && FROM_PROFILE.stream().anyMatch(extra::has);
        return ownValues ? null : profile;
    }

    static void put(ObjectNode content, String field, @Nullable String value) {
        if (value == null) {
            content.remove(field);
        } else {
            content.put(field, value);
        }
    }

    /** The content of a join: the client's own fields, without the fields that the server decides. */
    private static ObjectNode joining(JsonBody body) {
        var content = body.json().deepCopy();
        NOT_FROM_BODY.forEach(content::remove);
        put(content, "reason", body.optionalString("reason"));
        return content;
    }

    private static ObjectNode extra(JsonBody body) {
        var extra = JsonNodeFactory.instance.objectNode();
        put(extra, "reason", body.optionalString("reason"));
        return extra;
    }
}
