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
 * Asks room-service whose devices a user may reach: the devices of users with a common room or invitation, and the
 * user's own (contract.md
 * 13.5). One request covers all users of a call. Answers are not cached, so joins and leaves take effect at once.
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
        var reached = new HashSet<UserId>();
        var strangers = new HashSet<>(others);
        if (strangers.remove(user)) {
            reached.add(user);
        }
        if (strangers.isEmpty()) {
            return Mono.just(reached);
        }
        return services.post(
                        "room-service",
                        user.value(),
                        PATH,
                        new Question(tenant, user, List.copyOf(strangers)),
                        Answer.class)
                .map(answer -> {
                    reached.addAll(answer.users);
                    return reached;
                });
    }

    record Question(TenantId tenant, UserId user, List<UserId> others) {}

    record Answer(List<UserId> users) {}
}
