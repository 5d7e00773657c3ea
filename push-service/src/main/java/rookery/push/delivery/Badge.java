package rookery.push.delivery;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Knows the number that a user's app icon shows. */
public interface Badge {
    /** Nobody counts: pushes then say nothing of it. */
    Badge NONE = (_, _) -> Mono.empty();

    /** As it is now. */
    Mono<Integer> of(TenantId tenant, UserId user);
}
