// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.http.ServiceClient;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomRing;

/**
 * Reads member events for the rings from room-service. All readers of a room need the same events at the same time, so each event is
 * read once for all of them: a request whose event is being read waits for that call.
 */
@Component
class MemberEvents {
    private static final Logger log = LoggerFactory.getLogger(MemberEvents.class);
    /** Members beyond these numbers are left to calls for single readers, which have bounds of their own. */
    private static final int MEMBERS_MAX = 100;

    private static final int CALLS_MAX = 64;

    private final Function<MembersQuery, Mono<MembersFound>> owner;
    private final Counter calls;
    private final Map<MemberKey, Mono<Void>> running = new ConcurrentHashMap<>();

    @Autowired
    MemberEvents(ServiceClient services, MeterRegistry meters) {
        this(
                query -> services.post(
                        "room-service",
                        query.members.getFirst().room.value(),
                        "/internal/sync/members",
                        query,
                        MembersFound.class),
                meters);
    }

    MemberEvents(Function<MembersQuery, Mono<MembersFound>> owner, MeterRegistry meters) {
        this.owner = owner;
        this.calls = Counter.builder("sync_member_calls")
                .description("calls to room-service for member events that all readers of a room share")
                .register(meters);
    }

    /**
     * A member event to read.
     *
     * @param changedAt the position of the user's next member event; {@link Long#MAX_VALUE} for the newest
     * @param asOf the node's position in the shard
     */
    record LackingMember(RoomRing ring, RoomId room, int shard, UserId user, long changedAt, long asOf) {
        private boolean isKnown() {
            return ring.member(user.value(), place()).event() != null;
        }

        private long place() {
            return changedAt == Long.MAX_VALUE ? asOf : changedAt - 1;
        }
    }

    private record MemberKey(TenantId tenant, RoomId room, UserId user, long changedAt) {
        static MemberKey of(TenantId tenant, LackingMember member) {
            return new MemberKey(tenant, member.room, member.user, member.changedAt);
        }
    }

    /**
     * Completes when the rings have the events, or cannot get them now. Synchronized, because another reader may start a call as
     * soon as the call is in {@code running}: the call must have all its members by then.
     */
    synchronized Mono<Void> learn(TenantId tenant, long epoch, List<LackingMember> members) {
        if (members.size() > MEMBERS_MAX || running.size() >= CALLS_MAX * MEMBERS_MAX) {
            return Mono.empty();
        }
        var own = new ArrayList<LackingMember>();
        var call = Mono.defer(() -> read(tenant, epoch, own))
                .doFinally(_ -> own.forEach(member -> running.remove(MemberKey.of(tenant, member))))
                .cache(); // a client that disconnects does not end the call for the others
        var all = new HashSet<Mono<Void>>();
        for (var member : members) {
            var present = running.putIfAbsent(MemberKey.of(tenant, member), call);
            if (present != null) {
                all.add(present);
            } else if (member.isKnown()) { // since a call that has just ended
                running.remove(MemberKey.of(tenant, member));
            } else {
                own.add(member);
                all.add(call);
            }
        }
        return Mono.when(all);
    }

    record WantedMember(RoomId room, int shard, UserId user, long place) {}

    record MembersQuery(TenantId tenant, List<WantedMember> members) {}

    record MembersFound(long epoch, List<MembersOfRoom> rooms) {}

    record MembersOfRoom(@JsonProperty("room_id") RoomId roomId, List<MemberFound> events) {}

    record MemberFound(long pos, String body) {}

    private Mono<Void> read(TenantId tenant, long epoch, Collection<LackingMember> members) {
        if (members.isEmpty()) {
            return Mono.empty();
        }
        calls.increment();
        var wanted = members.stream()
                .map(member -> new WantedMember(member.room, member.shard, member.user, member.place()))
                .toList();
        return owner.apply(new MembersQuery(tenant, wanted))
                .filter(found -> found.epoch == epoch)
                .doOnNext(found -> learn(members, found))
                .then()
                .onErrorResume(failure -> {
                    log.atWarn().addKeyValue("cause", failure.getMessage()).log("member events cannot be read");
                    return Mono.empty(); // each reader asks for itself
                });
    }

    private static void learn(Collection<LackingMember> members, MembersFound found) {
        var byRoom = new HashMap<RoomId, List<RingEvent>>();
        for (var room : found.rooms) {
            room.events.forEach(event ->
                    byRoom.computeIfAbsent(room.roomId, _ -> new ArrayList<>()).add(event(event)));
        }
        for (var member : members) {
            RingEvent newest = null;
            for (var event : byRoom.getOrDefault(member.room, List.of())) {
                if (event.isMemberEventOf(member.user.value()) && event.pos() <= member.place()) {
                    newest = event; // oldest first
                }
            }
            if (newest == null) {
                continue;
            }
            if (member.changedAt == Long.MAX_VALUE) {
                member.ring.learn(List.of(newest), member.asOf);
            } else {
                member.ring.learnReplaced(newest, member.changedAt, member.asOf);
            }
        }
    }

    private static RingEvent event(MemberFound found) {
        if (RoomLogText.read(RoomLogRecord.EVENT, found.body) instanceof EventAppended appended) {
            return new RingEvent(found.pos, appended);
        }
        throw new IllegalStateException("not an event at " + found.pos);
    }
}
