package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A room as tests of the rules describe it: Ada made it and has power 100, Mod has 50, Bob is a member. */
final class TestRoom implements RoomState {
    static final UserId ADA = new UserId("@ada:example.org");
    static final UserId MOD = new UserId("@mod:example.org");
    static final UserId BOB = new UserId("@bob:example.org");
    static final UserId EVE = new UserId("@eve:example.org");

    private final Map<UserId, Membership> members =
            new HashMap<>(Map.of(ADA, Membership.JOIN, MOD, Membership.JOIN, BOB, Membership.JOIN));
    private @Nullable ObjectNode levels =
            json("{\"users\":{\"@ada:example.org\":100,\"@mod:example.org\":50},\"invite\":50}");
    private String joinRule = "invite";
    private @Nullable UserId creator = ADA;
    private long events = 10;

    static ObjectNode json(String text) {
        return (ObjectNode) JsonMapper.shared().readTree(text);
    }

    TestRoom with(UserId user, Membership membership) {
        members.put(user, membership);
        return this;
    }

    TestRoom joinRule(String rule) {
        joinRule = rule;
        return this;
    }

    TestRoom powerLevels(String content) {
        levels = json(content);
        return this;
    }

    TestRoom withoutPowerLevels() {
        levels = null;
        return this;
    }

    TestRoom justCreated() {
        events = 1;
        levels = null;
        members.clear();
        return this;
    }

    TestRoom notCreated() {
        events = 0;
        creator = null;
        levels = null;
        members.clear();
        return this;
    }

    boolean allows(Candidate candidate) {
        return refusal(candidate) == null;
    }

    /** The reason of a refusal; null for an allowed event. */
    @Nullable
    String refusal(Candidate candidate) {
        return switch (AuthRules.judge(this, levels == null ? json("{}") : levels, candidate)) {
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
    public @Nullable UserId creator() {
        return creator;
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public PowerLevels power() {
        return levels == null ? PowerLevels.ofCreator(creator) : PowerLevels.of(levels);
    }

    @Override
    public boolean hasPowerLevels() {
        return levels != null;
    }

    @Override
    public String joinRule() {
        return joinRule;
    }

    @Override
    public Membership membership(UserId user) {
        return members.getOrDefault(user, Membership.LEAVE);
    }
}
