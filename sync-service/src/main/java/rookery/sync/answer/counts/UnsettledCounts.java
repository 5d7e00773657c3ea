// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.counts;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.Inboxes;
import rookery.sync.unread.UnreadAsker;
import rookery.sync.waiting.Wake;

/** Users with provisional unread counts. Wakes their waiting requests, which then ask push-service again. */
@Component
class UnsettledCounts {
    private static final int RETRIES_AT_ONCE = 64;

    private final UnreadAsker asker;
    private final RandomGenerator random;
    private final Set<Inbox> users = ConcurrentHashMap.newKeySet();

    UnsettledCounts(UnreadAsker asker, RandomGenerator random, Inboxes inboxes, MeterRegistry meters) {
        this.asker = asker;
        this.random = random;
        Gauge.builder("sync_unread_rooms", inboxes, UnsettledCounts::roomsInMemory)
                .description("unread counts in memory, one for each user and room")
                .register(meters);
        Gauge.builder("sync_unread_unsettled", users, Set::size)
                .description("users with provisional unread counts")
                .register(meters);
    }

    private static double roomsInMemory(Inboxes inboxes) {
        return inboxes.all().stream().mapToInt(inbox -> inbox.unread().size()).sum();
    }

    void add(Inbox user) {
        users.add(user);
    }

    /** Wakes a limited number of users in each run, so that push-service is not overloaded. */
    @Scheduled(fixedDelayString = "${rookery.sync.unread.retry-interval:100ms}")
    void retry() {
        users.forEach(this::forgetSettled);
        if (asker.isAway()) {
            return;
        }
        long now = System.nanoTime();
        var due = new ArrayList<>(
                users.stream().filter(inbox -> inbox.unread().isDue(now)).toList());
        Collections.shuffle(due, random); // random order, for fairness
        for (var inbox : due.subList(0, Math.min(due.size(), RETRIES_AT_ONCE))) {
            users.remove(inbox); // before the wake: the look may add the user again
            inbox.waiters().wake(Wake.NEWS);
        }
    }

    /** Another request of the user may have settled the counts. */
    private void forgetSettled(Inbox inbox) {
        if (!inbox.unread().hasDoubts()) {
            users.remove(inbox);
            if (inbox.unread().hasDoubts()) { // a new doubt has arisen meanwhile
                users.add(inbox);
            }
        }
    }
}
