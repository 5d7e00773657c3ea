// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;

/** A user who chats during the attacks: sends messages, syncs them, and records both latencies. */
final class Bystander implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Session session;
    private final String room;
    private final Thread thread;
    private final List<Long> sendMillis = new ArrayList<>();
    private final List<Long> syncMillis = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private volatile boolean ended;

    /**
     * The measurements of the user.
     *
     * @param failures refused or aborted requests
     */
    record Experience(int messages, long sendMedianMs, long syncMedianMs, long worstMs, List<String> failures) {
        @Override
        public String toString() {
            return "%d messages, median of a send %d ms, of a sync %d ms, worst %d ms, %d failures%s"
                    .formatted(
                            messages,
                            sendMedianMs,
                            syncMedianMs,
                            worstMs,
                            failures.size(),
                            failures.isEmpty() ? "" : " such as " + failures.getFirst());
        }
    }

    Bystander(Session session, String room) {
        this.session = session;
        this.room = room;
        this.thread = Thread.ofPlatform().name("bystander").start(this::chat);
    }

    private void chat() {
        String since = "";
        while (!ended) {
            try {
                if (since.isEmpty()) {
                    since = session.sync(SyncQuery.initial()).path("next_batch").asString();
                }
                since = exchange(since);
                LockSupport.parkNanos(PAUSE_NANOS); // the pace of a person
            } catch (IOException | RuntimeException e) {
                note(String.valueOf(e.getMessage()));
            }
        }
    }

    private String exchange(String since) throws IOException {
        long began = System.nanoTime();
        session.say(room, "hello");
        long sent = System.nanoTime();
        var answer = session.sync(SyncQuery.since(since));
        long synced = System.nanoTime();
        synchronized (this) {
            sendMillis.add(TimeUnit.NANOSECONDS.toMillis(sent - began));
            syncMillis.add(TimeUnit.NANOSECONDS.toMillis(synced - sent));
        }
        return answer.path("next_batch").asString();
    }

    private synchronized void note(String failure) {
        failures.add(failure);
    }

    /** Returns and resets the measurements. */
    synchronized Experience experience() {
        var all = new ArrayList<>(sendMillis);
        all.addAll(syncMillis);
        var experience = new Experience(
                sendMillis.size(),
                median(sendMillis),
                median(syncMillis),
                all.stream().mapToLong(Long::longValue).max().orElse(-1),
                List.copyOf(failures));
        sendMillis.clear();
        syncMillis.clear();
        failures.clear();
        return experience;
    }

    private static long median(List<Long> values) {
        return values.isEmpty() ? -1 : values.stream().sorted().toList().get(values.size() / 2);
    }

    @Override
    public void close() {
        ended = true;
        thread.interrupt();
    }
}
