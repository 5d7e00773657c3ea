// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.event.RoomVersion;
import rookery.model.id.UserId;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A room as tests of the rules describe it: Ada made it and has the most power, Mod has 50, Bob is a member. */
final class TestRoom implements RoomState {
    static final UserId ADA = new UserId("@ada:example.org");
    static final UserId MOD = new UserId("@mod:example.org");
    static final UserId BOB = new UserId("@bob:example.org");
    static final UserId EVE = new UserId("@eve:example.org");

    private final Map<UserId, Membership> members =
            new HashMap<>(Map.of(ADA, Membership.JOIN, MOD, Membership.JOIN, BOB, Membership.JOIN));
    private final CoreState created;
    private CoreState core;
    private long events = 10;

    TestRoom() {
        this(RoomVersion.V11);
    }

    TestRoom(RoomVersion version, UserId... additionalCreators) {
        created = CoreState.NONE.after("m.room.create", "", ADA, creation(version, additionalCreators));
        core = created;
        String ada = version.hasUnboundedCreators() ? "" : "\"@ada:example.org\":100,";
        powerLevels("{\"users\":{" + ada + "\"@mod:example.org\":50},\"invite\":50}");
    }

    static ObjectNode creation(RoomVersion version, UserId... additionalCreators) {
        var content = json("{}").put("room_version", version.id);
        if (version.namesCreator()) {
            content.put("creator", ADA.value());
        }
        var users = content.putArray("additional_creators");
        Stream.of(additionalCreators).forEach(user -> users.add(user.value()));
        return content;
    }

    static ObjectNode json(String text) {
        return (ObjectNode) JsonMapper.shared().readTree(text);
    }

    TestRoom with(UserId user, Membership membership) {
        members.put(user, membership);
        return this;
    }

    TestRoom joinRule(String rule) {
        core = core.after("m.room.join_rules", "", ADA, json("{}").put("join_rule", rule));
        return this;
    }

    TestRoom powerLevels(String content) {
        core = core.after("m.room.power_levels", "", ADA, json(content));
        return this;
    }

    TestRoom withoutPowerLevels() {
        core = created;
        return this;
    }

    TestRoom justCreated() {
        events = 1;
        core = created;
        members.clear();
        return this;
    }

    TestRoom notCreated() {
        events = 0;
        core = CoreState.NONE;
        members.clear();
        return this;
    }

    boolean allows(Candidate candidate) {
        return refusal(candidate) == null;
    }

    /** The reason of a refusal; null for an allowed event. */
    @Nullable
    String refusal(Candidate candidate) {
        return switch (AuthRules.judge(this, candidate)) {
            case Allowed() -> null;
            case Denied(String reason) -> {
                assertThat(reason).isNotBlank();
                yield reason;
            }
        };
    }

    boolean allowsState(UserId sender, String type, String stateKey, String content) {
        return allows(new Candidate(type, stateKey, sender, json(content)));
    }

    boolean allowsMessage(UserId sender) {
        return allows(new Candidate("m.room.message", null, sender, json("{}")));
    }

    boolean allowsMember(UserId sender, UserId target, String membership) {
        return allowsState(sender, "m.room.member", target.value(), "{\"membership\":\"" + membership + "\"}");
    }

    boolean allowsLevels(UserId sender, String content) {
        return allowsState(sender, "m.room.power_levels", "", content);
    }

    @Override
    public CoreState core() {
        return core;
    }

    PowerLevels power() {
        return core.power();
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public Membership membership(UserId user) {
        return members.getOrDefault(user, Membership.LEAVE);
    }
}
