package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.PowerLevels;
import rookery.room.authorization.RoomState;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.table.StoredEvent;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A room replayed from its log: each event is judged by the rules against the events before. */
final class ReplayedRoom implements RoomState {
    private final Map<UserId, Membership> members = new HashMap<>();
    private @Nullable UserId creator;
    private @Nullable ObjectNode levels;
    private String joinRule = "invite";
    private long events;

    /** Complains of an event that the rules do not allow here. */
    void take(StoredEvent event) {
        var meta = event.event().meta();
        var content = event.content();
        var verdict = AuthRules.judge(
                this,
                levels == null ? JsonNodeFactory.instance.objectNode() : levels,
                new Candidate(meta.type(), meta.stateKey(), meta.sender(), content));
        assertThat(verdict).as("%s at %d: %s", meta, event.pos(), content).isInstanceOf(Allowed.class);
        events++;
        if (meta.stateKey() == null) {
            return;
        }
        switch (meta.type()) {
            case EventTypes.CREATE -> creator = meta.sender();
            case EventTypes.POWER_LEVELS -> levels = content;
            case EventTypes.JOIN_RULES -> joinRule = content.path("join_rule").asString();
            case EventTypes.MEMBER ->
                members.put(
                        new UserId(meta.stateKey()),
                        Membership.of(content.path("membership").asString()).orElseThrow());
            default -> {}
        }
    }

    long joined() {
        return members.values().stream().filter(Membership.JOIN::equals).count();
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
