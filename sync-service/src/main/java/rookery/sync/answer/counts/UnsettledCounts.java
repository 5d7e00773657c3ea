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

/** Users who were told unread counts that may not be final: those who wait are woken, so that push-service is asked once more. */
@Component
class UnsettledCounts {
    private static final int RETRIES_AT_ONCE = 64;

    private final UnreadAsker asker;
    private final RandomGenerator random;
    private final Set<Inbox> users = ConcurrentHashMap.newKeySet();

    UnsettledCounts(UnreadAsker asker, RandomGenerator random, Inboxes inboxes, MeterRegistry meters) {
        this.asker = asker;
        this.random = random;
        Gauge.builder("sync_unread_rooms", inboxes, UnsettledCounts::held)
                .description("rooms and users of whom unread counts are held in memory")
                .register(meters);
        Gauge.builder("sync_unread_unsettled", users, Set::size)
                .description("users whose unread counts wait for push-service")
                .register(meters);
    }

    private static double held(Inboxes inboxes) {
        return inboxes.all().stream().mapToInt(inbox -> inbox.unread().size()).sum();
    }

    void add(Inbox user) {
        users.add(user);
    }

    /** Whoever is waiting looks again, and asks: a few at a time, so that there are not more of them than push-service can answer. */
    @Scheduled(fixedDelayString = "${rookery.sync.unread.retry-interval:100ms}")
    void retry() {
        users.forEach(this::forgetSettled);
        if (asker.isAway()) {
            return;
        }
        long now = System.nanoTime();
        var due = new ArrayList<>(
                users.stream().filter(inbox -> inbox.unread().isDue(now)).toList());
        Collections.shuffle(due, random); // so that each gets their turn
        for (var inbox : due.subList(0, Math.min(due.size(), RETRIES_AT_ONCE))) {
            users.remove(inbox); // before it looks: that may add it again
            inbox.waiters().wake(Wake.NEWS);
        }
    }

    /** Another look may have asked for them meanwhile. */
    private void forgetSettled(Inbox inbox) {
        if (!inbox.unread().isWanting()) {
            users.remove(inbox);
            if (inbox.unread().isWanting()) { // there is a new doubt since
                users.add(inbox);
            }
        }
    }
}
