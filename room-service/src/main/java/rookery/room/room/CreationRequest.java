// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.RoomVersion;
import rookery.model.id.RoomAlias;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.authorization.JoinRule;
import rookery.room.membership.AddressClient.Address;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The body of a createRoom request, checked without the server (contract.md 8.2). */
record CreationRequest(
        RoomVersion version,
        Preset preset,
        @Nullable RoomAlias alias,
        @Nullable String name,
        @Nullable String topic,
        List<UserId> invite,
        List<Address> inviteAddresses,
        ObjectNode creationContent,
        List<State> initialState,
        boolean isDirect,
        @Nullable ObjectNode powerLevelOverride,
        boolean published) {
    private static final int INVITES_MAX = 200;
    private static final int INITIAL_STATE_MAX = 100;

    /** The presets of the specification, with their join rule and guest access. */
    enum Preset {
        PRIVATE_CHAT(JoinRule.INVITE, "can_join"),
        TRUSTED_PRIVATE_CHAT(JoinRule.INVITE, "can_join"),
        PUBLIC_CHAT(JoinRule.PUBLIC, "forbidden");

        final JoinRule joinRule;
        final String guestAccess;

        Preset(JoinRule joinRule, String guestAccess) {
            this.joinRule = joinRule;
            this.guestAccess = guestAccess;
        }
    }

    record State(String type, String stateKey, ObjectNode content) {
        boolean is(String otherType, String otherKey) {
            return type.equals(otherType) && stateKey.equals(otherKey);
        }
    }

    /** @param defaultVersion the version of a room whose request names none */
    static CreationRequest of(JsonBody body, ServerName server, RoomVersion defaultVersion) {
        String version = body.optionalString("room_version");
        var invite = invite(body);
        var addresses = body.objects("invite_3pid").stream().map(Address::of).toList();
        if (invite.size() + addresses.size() > INVITES_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "at most " + INVITES_MAX + " users can be invited at once");
        }
        String alias = body.optionalString("room_alias_name");
        return new CreationRequest(
                version == null ? defaultVersion : NewRooms.supported(version),
                preset(body),
                alias == null ? null : RoomAlias.of(alias, server),
                body.optionalString("name"),
                body.optionalString("topic"),
                invite,
                addresses,
                objectOrEmpty(body, "creation_content"),
                initialState(body),
                body.boolOr("is_direct", false),
                body.has("power_level_content_override")
                        ? body.object("power_level_content_override").json()
                        : null,
                "public".equals(body.optionalString("visibility")));
    }

    private static Preset preset(JsonBody body) {
        String visibility = body.optionalString("visibility");
        if (visibility != null && !visibility.equals("public") && !visibility.equals("private")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "visibility is public or private");
        }
        String preset = body.optionalString("preset");
        if (preset == null) {
            return "public".equals(visibility) ? Preset.PUBLIC_CHAT : Preset.PRIVATE_CHAT;
        }
        for (var candidate : Preset.values()) {
            if (candidate.name().toLowerCase(Locale.ROOT).equals(preset)) {
                return candidate;
            }
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "there is no such preset");
    }

    private static List<UserId> invite(JsonBody body) {
        return body.strings("invite").stream().distinct().map(UserId::new).toList();
    }

    CreationRequest inviting(List<UserId> more) {
        var all = Stream.concat(invite.stream(), more.stream()).distinct().toList();
        return new CreationRequest(
                version,
                preset,
                alias,
                name,
                topic,
                all,
                List.of(),
                creationContent,
                initialState,
                isDirect,
                powerLevelOverride,
                published);
    }

    /** The content of that piece of {@code initial_state}; otherwise the fallback. */
    ObjectNode given(String type, String stateKey, ObjectNode fallback) {
        return initialState.stream()
                .filter(state -> state.is(type, stateKey))
                .map(State::content)
                .findFirst()
                .orElse(fallback)
                .deepCopy();
    }

    private static List<State> initialState(JsonBody body) {
        var all = new ArrayList<State>();
        var states = body.objects("initial_state");
        if (states.size() > INITIAL_STATE_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "at most " + INITIAL_STATE_MAX + " state events can be set at once");
        }
        for (var state : states) {
            String stateKey = state.optionalString("state_key");
            all.add(new State(
                    state.string("type"),
                    stateKey == null ? "" : stateKey,
                    state.object("content").json()));
        }
        return all;
    }

    private static ObjectNode objectOrEmpty(JsonBody body, String field) {
        var object = body.optionalObject(field);
        return object == null ? JsonNodeFactory.instance.objectNode() : object.json();
    }
}
