// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import static rookery.model.event.EventTypes.CANONICAL_ALIAS;
import static rookery.model.event.EventTypes.CREATE;
import static rookery.model.event.EventTypes.GUEST_ACCESS;
import static rookery.model.event.EventTypes.HISTORY_VISIBILITY;
import static rookery.model.event.EventTypes.JOIN_RULES;
import static rookery.model.event.EventTypes.MEMBER;
import static rookery.model.event.EventTypes.NAME;
import static rookery.model.event.EventTypes.POWER_LEVELS;
import static rookery.model.event.EventTypes.TOPIC;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.authorization.AuthRules;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.FirstEvent;
import rookery.room.event.CanonicalAliasCheck;
import rookery.room.event.ContentCheck;
import rookery.room.inbox.ShownProfile;
import rookery.room.membership.MemberChanger;
import rookery.room.room.CreationRequest.Preset;
import rookery.room.room.CreationRequest.State;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the initial events of a new room, in the order of contract.md 8.2. */
final class FirstEvents {
    private static final long CREATOR = 100;
    private static final long MODERATOR = 50;

    private final CreationRequest request;
    private final TenantRoom room;
    private final UserId creator;
    private final Map<String, ShownProfile> profiles;
    private final RandomGenerator random;
    private final List<FirstEvent> events = new ArrayList<>();

    FirstEvents(
            CreationRequest request,
            TenantRoom room,
            UserId creator,
            Map<String, ShownProfile> profiles,
            RandomGenerator random) {
        this.request = request;
        this.room = room;
        this.creator = creator;
        this.profiles = profiles;
        this.random = random;
    }

    List<FirstEvent> inOrder() {
        add(CREATE, "", given(CREATE, "", request.creationContent()).put("room_version", AuthRules.ROOM_VERSION));
        var own = given(MEMBER, creator.value(), member("join"));
        MemberChanger.requireMedia(new JsonBody(own));
        member(creator, own, false);
        add(POWER_LEVELS, "", powerLevels());
        if (request.alias() != null) {
            preset(CANONICAL_ALIAS, object().put("alias", request.alias().value()));
        }
        preset(JOIN_RULES, object().put("join_rule", request.preset().joinRule.word));
        preset(HISTORY_VISIBILITY, object().put("history_visibility", "shared"));
        preset(GUEST_ACCESS, object().put("guest_access", request.preset().guestAccess));
        request.initialState().stream().filter(state -> !isPlacedAlready(state)).forEach(this::add);
        if (request.name() != null) {
            add(NAME, "", object().put("name", request.name()));
        }
        if (request.topic() != null) {
            add(TOPIC, "", topic(request.topic()));
        }
        request.invite().forEach(this::invite);
        return events;
    }

    /** The create event, the creator's join and, without an override, the power levels have places of their own. */
    private boolean isPlacedAlready(State state) {
        return is(state, CREATE, "")
                || is(state, MEMBER, creator.value())
                || (is(state, POWER_LEVELS, "") && request.powerLevelOverride() == null);
    }

    private void preset(String type, ObjectNode content) {
        if (request.initialState().stream().noneMatch(state -> is(state, type, ""))) {
            add(type, "", content);
        }
    }

    private ObjectNode given(String type, String stateKey, ObjectNode fallback) {
        return request.initialState().stream()
                .filter(state -> is(state, type, stateKey))
                .map(State::content)
                .findFirst()
                .orElse(fallback)
                .deepCopy();
    }

    private static boolean is(State state, String type, String stateKey) {
        return state.type().equals(type) && state.stateKey().equals(stateKey);
    }

    private ObjectNode powerLevels() {
        var content = object();
        var users = content.putObject("users").put(creator.value(), CREATOR);
        boolean isPrivate = request.preset() != Preset.PUBLIC_CHAT;
        if (request.preset() == Preset.TRUSTED_PRIVATE_CHAT) {
            request.invite().forEach(user -> users.put(user.value(), CREATOR));
        }
        content.put("users_default", 0).put("events_default", 0).put("state_default", MODERATOR);
        content.put("ban", MODERATOR).put("kick", MODERATOR).put("redact", MODERATOR);
        content.put("invite", isPrivate ? 0 : MODERATOR);
        var types = content.putObject("events");
        for (String type : List.of(NAME, "m.room.avatar", CANONICAL_ALIAS)) {
            types.put(type, MODERATOR);
        }
        for (String type : List.of(
                POWER_LEVELS, HISTORY_VISIBILITY, "m.room.encryption", "m.room.server_acl", "m.room.tombstone")) {
            types.put(type, CREATOR);
        }
        content.putObject("notifications").put("room", MODERATOR);
        if (request.powerLevelOverride() != null) {
            content.setAll(request.powerLevelOverride()); // replaces whole keys and does not merge their values
            return content;
        }
        return given(POWER_LEVELS, "", content);
    }

    private void invite(UserId user) {
        if (user.equals(creator) || !profiles.containsKey(user.value())) {
            return; // an unknown user does not prevent the creation
        }
        var content = member("invite");
        if (request.isDirect()) {
            content.put("is_direct", true);
        }
        member(user, content, true);
    }

    private static ObjectNode member(String membership) {
        return object().put("membership", membership);
    }

    /** A member event: the creator's content from {@code initial_state} stays as given, all others show the user's profile. */
    private void member(UserId user, ObjectNode content, boolean optional) {
        boolean isGiven = request.initialState().stream().anyMatch(state -> is(state, MEMBER, user.value()));
        var profile = isGiven && !optional ? null : profiles.get(user.value());
        if (profile != null) {
            profile.putInto(content); // for the size of the event; replaced by a newer profile at the creation
        }
        add(MEMBER, user.value(), content, optional, profile);
    }

    private static ObjectNode topic(String topic) {
        var content = object().put("topic", topic);
        content.putObject("m.topic").putArray("m.text").addObject().put("body", topic);
        return content;
    }

    /**
     * Adds state of {@code initial_state} under the rules of later state: members show their own profiles, and only the
     * requested alias leads to the room.
     */
    private void add(State state) {
        switch (state.type()) {
            case MEMBER ->
                givenMember(new UserId(state.stateKey()), state.content().deepCopy());
            case CANONICAL_ALIAS -> {
                CanonicalAliasCheck.requireNoneBut(request.alias(), new JsonBody(state.content()));
                add(CANONICAL_ALIAS, state.stateKey(), state.content());
            }
            default -> add(state.type(), state.stateKey(), state.content());
        }
    }

    private void givenMember(UserId user, ObjectNode content) {
        content.remove(List.of("displayname", "avatar_url"));
        if (!content.path("membership").asString("").equals("invite")) {
            add(MEMBER, user.value(), content);
            return;
        }
        var profile = profiles.get(user.value());
        if (profile == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user");
        }
        profile.putInto(content);
        add(MEMBER, user.value(), content, false, profile);
    }

    private void add(String type, String stateKey, ObjectNode content) {
        add(type, stateKey, content, false, null);
    }

    private void add(
            String type, String stateKey, ObjectNode content, boolean optional, @Nullable ShownProfile profile) {
        var id = EventLine.newId(random);
        var text = ContentCheck.checked(id, room, type, stateKey, creator, content);
        if (stateKey.isEmpty()) {
            ContentCheck.requireStateContent(type, content);
        }
        events.add(new FirstEvent(id, type, stateKey, content, text, optional, profile));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
