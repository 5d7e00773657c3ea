// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.http.ServiceClient;
import rookery.room.table.WorkQueue;
import rookery.room.upgrade.CarryOvers.CarryOver;
import tools.jackson.databind.JsonNode;

/**
 * Has auth-service copy the tags, the push rule and the entry of direct chats of each user who has joined a room's
 * successor, with repetitions until success. The row exists since the commit of the join, so a crash loses nothing, and
 * copying twice changes nothing.
 */
@Component
class CarryOverWorker {
    private static final Logger log = LoggerFactory.getLogger(CarryOverWorker.class);
    private static final int AT_ONCE = 8;
    private static final int DOUBLINGS_MAX = 6;

    private final CarryOvers carryOvers;
    private final ServiceClient services;
    private final CarryOverProperties properties;

    CarryOverWorker(CarryOvers carryOvers, ServiceClient services, CarryOverProperties properties) {
        this.carryOvers = carryOvers;
        this.services = services;
        this.properties = properties;
    }

    /** Spring calls this method once, subscribes to the result repeatedly, and waits for its end before the next delay. */
    @Scheduled(initialDelayString = "PT0.5S", fixedDelayString = "${rookery.room.carry-over.interval:PT0.5S}")
    Mono<Void> work() {
        return Mono.defer(this::round)
                .onErrorResume(WorkQueue.logged(log, "claiming carry-overs failed, next attempt follows"));
    }

    /** Repeats without delay while all claimed rows succeed, for example when a large room moves. */
    private Mono<Void> round() {
        return carryOvers
                .claim(properties.lease(), AT_ONCE)
                .flatMap(claimed -> Flux.fromIterable(claimed)
                        .flatMap(this::carried, AT_ONCE)
                        .filter(succeeded -> succeeded)
                        .count())
                .flatMap(count -> count == AT_ONCE ? round() : Mono.empty());
    }

    private Mono<Boolean> carried(CarryOver carryOver) {
        String user = carryOver.user().value();
        String path = "/internal/users/" + URLEncoder.encode(user, StandardCharsets.UTF_8) + "/carry-over";
        var moved = new MoveRequest(carryOver.tenant(), carryOver.from(), carryOver.to());
        return services.post("auth-service", user, path, moved, JsonNode.class)
                .then()
                .onErrorResume(CarryOverWorker::isGone, _ -> Mono.empty())
                .then(Mono.defer(() -> carryOvers.finish(carryOver)))
                .thenReturn(true)
                .onErrorResume(failure -> postponed(carryOver, failure).thenReturn(false));
    }

    /** A deactivated user has nothing to carry over. */
    private static boolean isGone(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND;
    }

    /** Waits one second first and twice as long each time, up to 64 seconds. */
    private Mono<Void> postponed(CarryOver carryOver, Throwable failure) {
        log.atWarn()
                .addKeyValue("user", carryOver.user().value())
                .addKeyValue("attempts", carryOver.attempts())
                .addKeyValue("cause", failure.toString())
                .log("carrying tags and rules over failed, next attempt follows");
        var wait = Duration.ofSeconds(1L << Math.min(carryOver.attempts() - 1, DOUBLINGS_MAX));
        return carryOvers.postpone(carryOver, wait);
    }

    record MoveRequest(
            TenantId tenant,
            @JsonProperty("from_room") RoomId fromRoom,
            @JsonProperty("to_room") RoomId toRoom) {}
}
