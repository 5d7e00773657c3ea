// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;

/** Asks one gateway again and again whose a token is, which keeps the token in its cache, and remembers the answers. */
final class Watch implements Runnable {
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** When it was asked and answered, by {@link System#nanoTime}. */
    record TimedAnswer(long askedNanos, long answeredNanos, Answer answer) {}

    private final Session session;
    private final List<TimedAnswer> seen = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;
    private volatile @Nullable IOException failure;

    Watch(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                long startNanos = System.nanoTime();
                var answer = session.call("GET", "/v3/account/whoami", null);
                seen.add(new TimedAnswer(startNanos, System.nanoTime(), answer));
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    void stop() {
        stopped = true;
    }

    /** All answers so far, oldest first. */
    List<TimedAnswer> seen() {
        if (failure != null) {
            throw new IllegalStateException("no answer for " + session, failure);
        }
        return List.copyOf(seen);
    }

    /** How many requests were begun since then and answered. */
    long since(long nanos) {
        return seen().stream().filter(one -> one.askedNanos - nanos >= 0).count();
    }
}
