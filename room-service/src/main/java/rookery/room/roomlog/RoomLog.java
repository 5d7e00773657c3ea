package rookery.room.roomlog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.log.LogAppender;
import rookery.platform.metrics.DurationBuckets;
import rookery.room.roomlog.RoomDraft.OfCreation;
import rookery.room.roomlog.RoomDraft.OfMember;

/**
 * The order of everything that happens in rooms.
 *
 * <p>What is answered here is committed. A repeated transaction id is answered what the first request was, whatever the rules
 * say by now (DESIGN.md 2, CONTRACT.md 2.7).
 */
@Component
public class RoomLog {
    private static final int SHARDS_REMEMBERED = 100_000;

    private final Rooms rooms;
    private final LogAppender<RoomDraft, RoomAnswer> appender;
    private final Timer persisting;
    private final Cache<RoomKey, Integer> shards =
            Caffeine.newBuilder().maximumSize(SHARDS_REMEMBERED).build();

    RoomLog(Rooms rooms, LogAppender<RoomDraft, RoomAnswer> appender, MeterRegistry meters) {
        this.rooms = rooms;
        this.appender = appender;
        this.persisting = Timer.builder("event_persist")
                .description("time from a draft to its commit or refusal")
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters);
    }

    /** M_FORBIDDEN with the rule's reason when the rules refuse it; M_NOT_FOUND for joining a room that does not exist. */
    public Mono<RoomAnswer> append(RoomDraft draft) {
        return Mono.defer(() -> {
            long began = System.nanoTime();
            return appended(draft)
                    .doOnTerminate(() -> persisting.record(System.nanoTime() - began, TimeUnit.NANOSECONDS));
        });
    }

    private Mono<RoomAnswer> appended(RoomDraft draft) {
        var shard = draft instanceof OfCreation creation ? Mono.just(creation.shard()) : shard(draft.room());
        return shard.switchIfEmpty(Mono.error(() -> unknown(draft)))
                .flatMap(number -> appender.append(
                        number, draft.room().tenant(), draft.room().room().value(), draft));
    }

    /** Where the room lives, for ever; empty if the tenant has no such room. */
    public Mono<Integer> shard(RoomKey room) {
        var known = shards.getIfPresent(room);
        return known != null ? Mono.just(known) : rooms.shard(room).doOnNext(shard -> shards.put(room, shard));
    }

    private static ApiException unknown(RoomDraft draft) {
        boolean comesIn = draft instanceof OfMember member
                && (member.action() == MemberAction.JOIN || member.action() == MemberAction.KNOCK);
        return comesIn
                ? new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")
                : new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
    }
}
