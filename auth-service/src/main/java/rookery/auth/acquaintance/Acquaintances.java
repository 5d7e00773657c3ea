// SPDX-License-Identifier: Apache-2.0
package rookery.auth.acquaintance;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;

/**
 * Asks room-service whose devices a user may reach: the devices of users with a common room or invitation, and the user's own
 * (contract.md 13.5). One request covers all users of a call. Answers are not cached, so joins and leaves take effect at once.
 */
@Component
public class Acquaintances {
    private static final String PATH = "/internal/rooms/acquainted";

    private final ServiceClient services;

    Acquaintances(ServiceClient services) {
        this.services = services;
    }

    /** The subset of the others whose devices the user may reach; 503 while room-service is unreachable. */
    public Mono<Set<UserId>> among(TenantId tenant, UserId user, Collection<UserId> others) {
        var reachable = new HashSet<UserId>();
        var unknown = new HashSet<>(others);
        if (unknown.remove(user)) {
            reachable.add(user);
        }
        if (unknown.isEmpty()) {
            return Mono.just(reachable);
        }
        return services.post(
                        "room-service",
                        user.value(),
                        PATH,
                        new ReachRequest(tenant, user, List.copyOf(unknown)),
                        ReachAnswer.class)
                .map(answer -> {
                    reachable.addAll(answer.users);
                    return reachable;
                });
    }

    record ReachRequest(TenantId tenant, UserId user, List<UserId> others) {}

    record ReachAnswer(List<UserId> users) {}
}
