// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantRoom;
import rookery.platform.log.append.LogAppender;
import rookery.platform.metrics.DurationBuckets;
import rookery.platform.tenant.Tenants;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;

/**
 * The log of all rooms: the order of their events.
 *
 * <p>An answer is given after the commit. A repeated transaction id gets the answer of the first request, also when the
 * rules have changed since (design.md 2, contract.md 2.7).
 */
@Component
public class RoomLog {
    private final Rooms rooms;
    private final LogAppender<RoomDraft, RoomAnswer> appender;
    private final Tenants tenants;
    private final Timer persisting;

    RoomLog(Rooms rooms, LogAppender<RoomDraft, RoomAnswer> appender, Tenants tenants, MeterRegistry meters) {
        this.rooms = rooms;
        this.tenants = tenants;
        this.appender = appender;
        this.persisting = Timer.builder("event_persist")
                .description("time from a draft to its commit or refusal")
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters);
    }

    /** M_FORBIDDEN with the reason of the refusing rule; M_NOT_FOUND for joining an unknown room. */
    public Mono<RoomAnswer> append(RoomDraft draft) {
        return Mono.defer(() -> {
            long began = System.nanoTime();
            var room = draft.room();
            tenants.requireNoImport(room.tenant());
            return appender.append(room.shard(), room.tenant(), room.room().value(), draft)
                    .doOnTerminate(() -> persisting.record(System.nanoTime() - began, TimeUnit.NANOSECONDS));
        });
    }

    /** M_NOT_FOUND if the tenant has no such room. */
    public Mono<Void> require(TenantRoom room) {
        return rooms.contains(room)
                .filter(exists -> exists)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")))
                .then();
    }
}
