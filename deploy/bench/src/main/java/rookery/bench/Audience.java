// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;

/** The connected members of one room, which may send a receipt for each message. */
final class Audience implements WebUser.Workload, AutoCloseable {
    private static final int CLIENTS = 16;
    private static final long RECEIPT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1_800);

    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final RandomGenerator RANDOM = new SecureRandom();
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Http http;
    private final String room;
    private final boolean reading;
    private final List<WebUser> users = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Long, Long> sentNanos = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong(1L << 50));
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Latencies delivered = new Latencies();
    private volatile boolean stopped;

    Audience(TenantAddress site, String room, List<Session> people, boolean reading) throws IOException {
        this.http = Http.to(site);
        this.room = room;
        this.reading = reading;
        var connected = new WebUser[people.size()];
        Parallel.run(
                CLIENTS,
                0,
                connected.length,
                i -> connected[i] = new WebUser(this, people.get(i).through(http)));
        users.addAll(List.of(connected));
        users.forEach(user -> threads.execute(user::poll));
    }

    /** Sends a message of one user; users take turns. */
    void say(int number) throws IOException {
        long message = numbers.incrementAndGet();
        sentNanos.put(message, System.nanoTime());
        users.get(number % users.size())
                .session()
                .send(
                        room,
                        "audience-" + message,
                        Map.of("msgtype", "m.text", "body", "message " + message, "bench", message))
                .ok();
    }

    int answers() {
        return answers.get();
    }

    int failures() {
        return failures.get();
    }

    /** Waits until all messages have reached all members, at most 10 s. */
    void drain() {
        long deadlineNanos = System.nanoTime() + DRAIN.toNanos();
        while (missing() > 0 && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** The pairs of a message and a member whom the message has not reached. */
    long missing() {
        return sentNanos.keySet().stream()
                .mapToLong(message ->
                        users.stream().filter(user -> !user.hasSeen(message)).count())
                .sum();
    }

    Latencies.Summary delivered() {
        return delivered.summary();
    }

    @Override
    public void answered(WebUser reader, List<WebUser.Arrival> arrivals, boolean repeating) {
        answers.incrementAndGet();
        for (var arrival : arrivals) {
            long message = WebUser.number(arrival.event());
            var sent = sentNanos.get(message);
            if (sent != null && reader.see(message)) {
                delivered.add(arrival.nanos() - sent);
                if (reading) {
                    threads.execute(() ->
                            receipt(reader, arrival.event().path("event_id").asString()));
                }
            }
        }
    }

    private void receipt(WebUser reader, String eventId) {
        LockSupport.parkNanos(RANDOM.nextLong(RECEIPT_NANOS_MAX));
        try {
            reader.session()
                    .post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(eventId)), Map.of("thread_id", "main"));
        } catch (IOException | UnexpectedAnswerException e) {
            pollFailed(e);
        }
    }

    @Override
    public void initialSync(long durationNanos) {
        // members of an audience do not reconnect
    }

    @Override
    public void pollFailed(Exception failure) {
        if (!stopped) {
            failures.incrementAndGet();
        }
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public Http newConnection() {
        return http;
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
        http.close();
    }
}
