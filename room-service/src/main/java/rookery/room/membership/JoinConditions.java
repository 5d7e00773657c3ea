// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.JoinRule;
import rookery.room.draft.MemberAction;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.StateRows;

/**
 * Checks whether a user is in a room that a restricted join rule allows (contract.md 8.3). Such rooms may be on other
 * shards, so the check runs before the lock.
 */
@Component
class JoinConditions {
    private final StateRows states;

    JoinConditions(StateRows states) {
        this.states = states;
    }

    Mono<Boolean> areMet(TenantRoom room, UserId user, MemberAction action) {
        if (action != MemberAction.JOIN && action != MemberAction.SET_JOIN) {
            return Mono.just(false);
        }
        return states.at(room, room.shard(), Long.MAX_VALUE - 1, EventTypes.JOIN_RULES, "")
                .map(JoinConditions::rooms)
                .flatMap(rooms -> states.isJoinedToAny(room.tenant(), user, rooms))
                .defaultIfEmpty(false);
    }

    private static List<String> rooms(StoredEvent joinRules) {
        var rooms = new ArrayList<String>();
        var content = joinRules.content();
        if (JoinRule.of(content).isRestricted()) {
            for (var condition : content.path("allow")) {
                if (condition.path("type").asString("").equals("m.room_membership")) {
                    rooms.add(condition.path("room_id").asString(""));
                }
            }
        }
        return rooms;
    }
}
