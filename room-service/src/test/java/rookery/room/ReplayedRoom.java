// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.CoreState;
import rookery.room.authorization.RoomState;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.table.StoredEvent;

/** A room replayed from its log: each event is judged by the rules against the events before. */
final class ReplayedRoom implements RoomState {
    private final Map<UserId, Membership> members = new HashMap<>();
    private CoreState core = CoreState.NONE;
    private long events;

    /** Complains of an event that the rules do not allow here. */
    void take(StoredEvent event) {
        var meta = event.event().meta();
        var content = event.content();
        var verdict = AuthRules.judge(this, new Candidate(meta.type(), meta.stateKey(), meta.sender(), content));
        assertThat(verdict).as("%s at %d: %s", meta, event.pos(), content).isInstanceOf(Allowed.class);
        events++;
        if (meta.stateKey() == null) {
            return;
        }
        core = core.after(meta.type(), meta.stateKey(), meta.sender(), content);
        if (meta.type().equals(EventTypes.MEMBER)) {
            members.put(
                    new UserId(meta.stateKey()),
                    Membership.of(content.path("membership").asString()).orElseThrow());
        }
    }

    long joined() {
        return members.values().stream().filter(Membership.JOIN::equals).count();
    }

    @Override
    public CoreState core() {
        return core;
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
