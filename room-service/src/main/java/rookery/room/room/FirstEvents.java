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
import static rookery.model.event.EventTypes.TOMBSTONE;
import static rookery.model.event.EventTypes.TOPIC;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.EventLine;
import rookery.room.draft.NewRoom;
import rookery.room.draft.RoomDraft.FirstEvent;
import rookery.room.event.CanonicalAliasCheck;
import rookery.room.event.ContentCheck;
import rookery.room.inbox.ShownProfile;
import rookery.room.membership.MemberChanger;
import rookery.room.room.CreationRequest.Preset;
import rookery.room.room.CreationRequest.State;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the initial events of a new room, in the order of contract.md 8.2. */
final class FirstEvents {
    private static final String ADDITIONAL_CREATORS = "additional_creators";
    /** Above every level that a room begins with, so that only creators upgrade the room unless they decide otherwise. */
    private static final long OWNER = 150;

    private static final long CREATOR = 100;
    private static final long MODERATOR = 50;

    private final CreationRequest request;
    private final NewRoom made;
    private final TenantRoom room;
    private final UserId creator;
    private final Map<String, ShownProfile> profiles;
    private final RandomGenerator random;
    private final List<FirstEvent> events = new ArrayList<>();

    FirstEvents(
            CreationRequest request,
            NewRoom made,
            TenantUser creator,
            Map<String, ShownProfile> profiles,
            RandomGenerator random) {
        this.request = request;
        this.made = made;
        this.room = new TenantRoom(creator.tenant(), made.room());
        this.creator = creator.user();
        this.profiles = profiles;
        this.random = random;
    }

    /**
     * The content of the create event, without the parts that depend on the room version. Users who are invited to a trusted
     * private chat are creators, unless they do not exist.
     */
    static ObjectNode creation(CreationRequest request, UserId creator, Map<String, ShownProfile> profiles) {
        var content = request.given(CREATE, "", request.creationContent());
        if (!request.version().hasUnboundedCreators() || request.preset() != Preset.TRUSTED_PRIVATE_CHAT) {
            return content;
        }
        var named = content.has(ADDITIONAL_CREATORS) ? content.get(ADDITIONAL_CREATORS) : content.arrayNode();
        if (named instanceof ArrayNode users) {
            var all = new LinkedHashSet<JsonNode>();
            users.forEach(all::add);
            request.invite().stream()
                    .filter(user -> !user.equals(creator) && profiles.containsKey(user.value()))
                    .forEach(user -> all.add(content.stringNode(user.value())));
            content.putArray(ADDITIONAL_CREATORS).addAll(all);
        }
        return content;
    }

    List<FirstEvent> inOrder() {
        add(made.event(), CREATE, "", made.content(), false, null);
        var own = request.given(MEMBER, creator.value(), member("join"));
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
        return state.is(CREATE, "")
                || state.is(MEMBER, creator.value())
                || (state.is(POWER_LEVELS, "") && request.powerLevelOverride() == null);
    }

    private void preset(String type, ObjectNode content) {
        if (request.initialState().stream().noneMatch(state -> state.is(type, ""))) {
            add(type, "", content);
        }
    }

    private ObjectNode powerLevels() {
        var content = object();
        boolean isUnbounded = request.version().hasUnboundedCreators();
        boolean isPrivate = request.preset() != Preset.PUBLIC_CHAT;
        var users = content.putObject("users");
        if (!isUnbounded) {
            users.put(creator.value(), CREATOR);
        }
        if (!isUnbounded && request.preset() == Preset.TRUSTED_PRIVATE_CHAT) {
            request.invite().forEach(user -> users.put(user.value(), CREATOR));
        }
        content.put("users_default", 0).put("events_default", 0).put("state_default", MODERATOR);
        content.put("ban", MODERATOR).put("kick", MODERATOR).put("redact", MODERATOR);
        content.put("invite", isPrivate ? 0 : MODERATOR);
        var types = content.putObject("events");
        for (String type : List.of(NAME, "m.room.avatar", CANONICAL_ALIAS)) {
            types.put(type, MODERATOR);
        }
        for (String type : List.of(POWER_LEVELS, HISTORY_VISIBILITY, "m.room.encryption", "m.room.server_acl")) {
            types.put(type, CREATOR);
        }
        types.put(TOMBSTONE, isUnbounded ? OWNER : CREATOR);
        content.putObject("notifications").put("room", MODERATOR);
        if (request.powerLevelOverride() != null) {
            content.setAll(request.powerLevelOverride()); // replaces whole keys and does not merge their values
            return content;
        }
        return request.given(POWER_LEVELS, "", content);
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
        boolean isGiven = request.initialState().stream().anyMatch(state -> state.is(MEMBER, user.value()));
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
     * requested alias leads to the room. Invitations of unknown users are left out, as in {@code invite}.
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
            return;
        }
        profile.putInto(content);
        add(MEMBER, user.value(), content, false, profile);
    }

    private void add(String type, String stateKey, ObjectNode content) {
        add(type, stateKey, content, false, null);
    }

    private void add(
            String type, String stateKey, ObjectNode content, boolean optional, @Nullable ShownProfile profile) {
        add(EventLine.newId(random), type, stateKey, content, optional, profile);
    }

    private void add(
            EventId id,
            String type,
            String stateKey,
            ObjectNode content,
            boolean optional,
            @Nullable ShownProfile profile) {
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
