// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantUser;
import rookery.sync.waiting.Gathering;

/** The inboxes of users who are connected to this node, or were a short time ago. */
@Component
public class Inboxes {
    private final ConcurrentHashMap<TenantUser, Inbox> byUser = new ConcurrentHashMap<>();
    private final Gathering gathering;
    private final DataBudget budget;

    public Inboxes(Gathering gathering, DataBudget budget) {
        this.gathering = gathering;
        this.budget = budget;
    }

    /** The user's inbox, which cannot be removed before {@link #leave}. */
    public Inbox enter(TenantUser key) {
        return byUser.compute(key, (_, present) -> {
            var inbox = present == null ? new Inbox(key, gathering, budget) : present;
            inbox.requests++;
            return inbox;
        });
    }

    public void leave(Inbox inbox) {
        byUser.computeIfPresent(inbox.key(), (_, present) -> {
            present.requests--;
            present.leftNanos = System.nanoTime();
            return present;
        });
    }

    @Nullable
    Inbox find(TenantUser key) {
        return byUser.get(key);
    }

    public Collection<Inbox> all() {
        return byUser.values();
    }

    /** Removes the inboxes without requests for the given time. */
    List<Inbox> removeIdle(long idleNanos) {
        var removed = new ArrayList<Inbox>();
        for (var key : byUser.keySet()) {
            byUser.computeIfPresent(key, (_, inbox) -> {
                boolean idle = inbox.requests == 0 && System.nanoTime() - inbox.leftNanos > idleNanos;
                return idle && removed.add(inbox) ? null : inbox;
            });
        }
        removed.forEach(inbox -> inbox.data().forget());
        return removed;
    }
}
