package rookery.push.count;

import java.util.List;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** Takes what is to be pushed, and what need not be pushed any more, inside the transaction that moves the position in the log. */
public interface PushSink {
    /** Never empty. */
    Mono<Void> add(List<NewUnit> pushes);

    /** The event says nothing any more. */
    Mono<Void> redacted(TenantId tenant, EventId event);

    /** Users who may be pushed to have read in a room; never empty. */
    Mono<Void> read(List<ReadUpTo> reads);
}
