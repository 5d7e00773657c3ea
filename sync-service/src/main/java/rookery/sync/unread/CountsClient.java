// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceClient;
import rookery.platform.runtime.Turnstile;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.unread.RoomUnread.CountsQuery;
import rookery.sync.unread.RoomUnread.ReadMarker;

/**
 * Reads a user's unread counts from push-service, with a short timeout. After a failure, all calls fail at once for a short
 * pause. A timeout in the queue of this node is no failure of push-service.
 */
@Component
class CountsClient {
    private static final Logger log = LoggerFactory.getLogger(CountsClient.class);

    private final ServiceClient services;
    private final UnreadProperties properties;
    private final Turnstile turnstile;
    private final MeterRegistry meters;
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile long awayUntilNanos = System.nanoTime();

    CountsClient(ServiceClient services, UnreadProperties properties, MeterRegistry meters) {
        this.services = services;
        this.properties = properties;
        this.turnstile = new Turnstile(properties.callsAtOnce(), properties.callsWaitingMax());
        this.meters = meters;
    }

    /** The counts as of the positions or earlier, of the given rooms, or (null) of all rooms with unread events. */
    Mono<PushServiceCounts> of(TenantId tenant, UserId user, Positions upto, @Nullable Map<RoomId, CountsQuery> rooms) {
        return Mono.defer(() -> {
            var request = new CountsRequest(tenant, user, upto.toArray(), rooms == null ? null : wire(rooms));
            return turnstile
                    .pass(tenant, user, call(request))
                    .timeout(properties.patience().multipliedBy(2)) // half for the turn, half for the call
                    .doOnError(TimeoutException.class, _ -> count("no_turn"));
        });
    }

    private Mono<PushServiceCounts> call(CountsRequest request) {
        return Mono.defer(() -> {
            if (isAway()) { // may have failed during the wait for the turn
                return Mono.error(away());
            }
            return services.post("push-service", request.user.value(), "/internal/counts", request, CountsAnswer.class)
                    .map(answer -> answer.counts(request.upto.length))
                    .timeout(properties.patience())
                    .doOnError(this::failed)
                    .onErrorMap(_ -> away())
                    .doOnSuccess(_ -> succeeded());
        });
    }

    private static ApiException away() {
        return ApiException.unavailable("push-service is not available");
    }

    /** Whether the pause after a failure lasts. */
    boolean isAway() {
        return awayUntilNanos - System.nanoTime() > 0;
    }

    private void failed(Throwable failure) {
        awayUntilNanos = System.nanoTime() + properties.pause().toNanos();
        count("failed");
        if (failing.compareAndSet(false, true)) {
            log.atWarn()
                    .addKeyValue("cause", failure.getMessage())
                    .log("push-service does not answer, unread counts may be stale");
        }
    }

    private void succeeded() {
        count("answered");
        if (failing.compareAndSet(true, false)) {
            log.info("push-service answers again, unread counts are corrected");
        }
    }

    private void count(String outcome) {
        Counter.builder("sync_counts_calls")
                .description("calls to push-service for unread counts")
                .tag("outcome", outcome)
                .register(meters)
                .increment();
    }

    private static List<RequestedRoom> wire(Map<RoomId, CountsQuery> rooms) {
        return rooms.entrySet().stream()
                .map(room -> new RequestedRoom(
                        room.getKey(),
                        room.getValue().reads().stream().map(RequestedRead::of).toList(),
                        room.getValue().redacted()))
                .toList();
    }

    /** A request; without rooms for all rooms. */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and written once
    record CountsRequest(
            TenantId tenant,
            UserId user,
            long[] upto,
            @Nullable List<RequestedRoom> rooms) {}

    /** Own receipts and redactions that push-service may not have processed yet. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record RequestedRoom(@JsonProperty("room_id") RoomId roomId, List<RequestedRead> reads, List<Long> redacted) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RequestedRead(@Nullable String thread, long pos) {
        static RequestedRead of(ReadMarker read) {
            return new RequestedRead(read.thread(), read.pos());
        }
    }

    /** An older push-service omits {@code counted} and the position in the user log. */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record CountsAnswer(
            long epoch,
            long[] positions,
            List<RoomCounts> rooms,
            long @Nullable [] counted,
            @JsonProperty("user_epoch") @Nullable Long userEpoch,
            @JsonProperty("user_pos") @Nullable Long userPos) {
        PushServiceCounts counts(int shards) {
            if (positions.length != shards) {
                throw ApiException.unavailable("push-service has another number of shards");
            }
            var byRoom = new HashMap<RoomId, Map<String, Tally>>();
            rooms.forEach(room -> byRoom.put(room.roomId, room.tallies()));
            var userLog = userEpoch == null || userPos == null
                    ? UserLogPosition.EVERYTHING
                    : new UserLogPosition(userEpoch, userPos);
            return new PushServiceCounts(
                    epoch,
                    Positions.of(positions),
                    byRoom,
                    Positions.of(counted == null ? positions : counted),
                    userLog);
        }
    }

    record RoomCounts(@JsonProperty("room_id") RoomId roomId, Map<String, List<Integer>> threads) {
        Map<String, Tally> tallies() {
            var tallies = new HashMap<String, Tally>();
            threads.forEach((thread, counts) -> {
                if (counts.getFirst() > 0) {
                    tallies.put(thread, new Tally(counts.getFirst(), counts.getLast()));
                }
            });
            return tallies;
        }
    }
}
