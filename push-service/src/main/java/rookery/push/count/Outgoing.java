package rookery.push.count;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Takes what is to be pushed, and what need not be pushed any more, inside the transaction that moves the position in the log. */
public interface Outgoing {
    /** Never empty. */
    Mono<Void> add(List<PushOut> pushes);

    /** The event says nothing any more. */
    Mono<Void> redacted(TenantId tenant, EventId event);

    /** Users have read in a room; never empty. */
    Mono<Void> read(List<ReadUpTo> reads);

    /**
     * How far somebody has read.
     *
     * @param thread a root, {@code main}, or null for all of the room
     */
    record ReadUpTo(RoomKey room, UserId user, @Nullable String thread, long pos) {}
}
