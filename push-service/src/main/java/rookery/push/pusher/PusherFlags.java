package rookery.push.pusher;

import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Is told, in the transaction that changes it, whether there is anywhere to push for a user. */
public interface PusherFlags {
    /** Nobody wants to know. */
    PusherFlags NONE = (_, _, _) -> Mono.empty();

    Mono<Void> changed(TenantId tenant, UserId user, boolean hasPushers);
}
