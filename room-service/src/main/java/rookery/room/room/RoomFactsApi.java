// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.authorization.PowerLevels;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.StateRows;

/** Facts about a room and a user, and counts over a tenant, for other services. Internal. */
@RestController
class RoomFactsApi {
    private static final Duration RECENT = Duration.ofDays(1);

    private final RoomReader reader;
    private final StateRows states;
    private final RoomFacts facts;
    private final Clock clock;

    RoomFactsApi(RoomReader reader, StateRows states, RoomFacts facts, Clock clock) {
        this.reader = reader;
        this.states = states;
        this.facts = facts;
        this.clock = clock;
    }

    @Callers(ServiceName.DIRECTORY)
    @GetMapping("/internal/rooms/{roomId}/facts")
    Mono<Facts> facts(@PathVariable RoomId roomId, @RequestParam int tenant, @RequestParam UserId user) {
        return reader.anyReading(new TenantRoom(new TenantId(tenant), roomId), user)
                .flatMap(this::facts)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")));
    }

    private Mono<Facts> facts(ReaderInRoom reading) {
        return states.power(reading).map(power -> facts(reading, power));
    }

    private static Facts facts(ReaderInRoom reading, PowerLevels power) {
        return new Facts(
                true,
                reading.shard(),
                reading.history().now(),
                power.of(reading.user()),
                Map.of(EventTypes.CANONICAL_ALIAS, power.required(EventTypes.CANONICAL_ALIAS, true)),
                reading.worldReadable());
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats")
    Mono<Stats> stats(@RequestParam int tenant) {
        long since = clock.instant().minus(RECENT).toEpochMilli();
        return facts.counts(new TenantId(tenant), since)
                .map(counts -> new Stats(
                        Map.of("total", counts.rooms(), "encrypted", counts.encrypted()),
                        Map.of("total", counts.events(), "last_24h", counts.recent()),
                        Map.of("files", counts.files(), "bytes", counts.bytes())));
    }

    record Facts(
            boolean exists,
            int shard,
            Membership member,
            long power,
            @JsonProperty("power_for") Map<String, Long> powerFor,
            @JsonProperty("world_readable") boolean worldReadable) {}

    record Stats(Map<String, Long> rooms, Map<String, Long> events, Map<String, Long> media) {}
}
