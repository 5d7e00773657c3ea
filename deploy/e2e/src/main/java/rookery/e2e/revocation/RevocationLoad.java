// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.revocation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Ends sessions and permissions at any gateway while each gateway gets requests with them. A request that begins after the answer
 * and is accepted is a fault.
 */
public final class RevocationLoad implements AutoCloseable {
    private static final List<Revocation> KINDS = List.of(Revocation.LOGOUT, Revocation.BLOCK, Revocation.DEMOTION);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int REGISTRATIONS_AT_ONCE = 3;
    private static final int WARM = 2;
    private static final int AFTERWARDS = 4;
    private static final int TRIES = 3;

    private final Rookery rookery;
    private final Session administrator;
    private final List<Http> gateways = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger names = new AtomicInteger();
    private final Semaphore registrations = new Semaphore(REGISTRATIONS_AT_ONCE);
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicLong requestsAfterwards = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    /**
     * @param gateways the number of gateways of the cluster
     */
    public RevocationLoad(Rookery rookery, int gateways) throws IOException {
        this.rookery = rookery;
        for (int number = 1; number <= gateways; number++) {
            this.gateways.add(Http.to(rookery.site("localhost", number)));
        }
        this.administrator = newAdministrator();
    }

    /** A request: when it began, and whether it was accepted or refused. */
    private record SeenRequest(Http gateway, long begunNanos, boolean isAccepted, boolean isRefused) {}

    /** Adds a gateway that all later revocations use too. */
    void add(Http gateway) {
        gateways.add(gateway);
    }

    /** The revocations that were answered so far. */
    public int ended() {
        return ended.get();
    }

    /** Revokes this often, by that many clients at a time. */
    public void run(int revocations, int clients) throws InterruptedException {
        var numbers = new AtomicInteger();
        var running = new ArrayList<Future<?>>();
        for (int i = 0; i < clients; i++) {
            running.add(threads.submit(() -> {
                for (int number = numbers.getAndIncrement(); number < revocations; number = numbers.getAndIncrement()) {
                    revoke(KINDS.get(number % KINDS.size()));
                }
            }));
        }
        for (var client : running) {
            try {
                client.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** The figures in one line. */
    public String summary() {
        return ("%d revocations answered, %d not; %d requests began after an answer, at %d gateways; the slowest"
                        + " answer took %.1f s")
                .formatted(
                        ended.get(),
                        unanswered.get(),
                        requestsAfterwards.get(),
                        gateways.size(),
                        longestNanos.get() / 1e9);
    }

    private Session newAdministrator() throws IOException {
        var session = newUser();
        promote(session.userId(), true).ok();
        return session;
    }

    /** Few at a time, because passwords are hashed on few threads, and more requests than they serve are refused. */
    private Session newUser() throws IOException {
        registrations.acquireUninterruptibly();
        try {
            return Session.register(gateways.getFirst(), "revoked-" + names.incrementAndGet());
        } finally {
            registrations.release();
        }
    }

    private Answer promote(String user, boolean admin) throws IOException {
        return new Nodes(rookery)
                .internal("auth-service", "/internal/admin/promote", Map.of("tenant", 1, "user", user, "admin", admin));
    }

    /** A user for the revocation; repeated while parts of the server are away. */
    private Session prepared(Revocation revocation) {
        for (int attempt = 0; ; attempt++) {
            try {
                var session = newUser();
                if (revocation == Revocation.DEMOTION) {
                    promote(session.userId(), true).ok();
                }
                return session;
            } catch (IOException | RuntimeException e) {
                if (attempt == 100) {
                    throw new IllegalStateException("no user can be registered", e);
                }
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            }
        }
    }

    private void revoke(Revocation revocation) {
        var session = prepared(revocation);
        var seen = new ConcurrentLinkedQueue<SeenRequest>();
        var over = new AtomicInteger();
        var at = List.copyOf(gateways);
        at.forEach(gateway -> threads.execute(() -> watch(revocation, session.through(gateway), seen, over)));
        try {
            var _ = Deadline.in(PATIENCE).until(PAUSE, () -> at.stream().allMatch(gateway -> isWarm(gateway, seen)));
            long answeredNanos = answered(revocation, session, at);
            if (answeredNanos == 0) {
                unanswered.incrementAndGet();
                return;
            }
            // the watching request of a stopped gateway began before the answer
            at.forEach(gateway -> threads.execute(() -> once(revocation, session.through(gateway), seen)));
            boolean isSeen = Deadline.in(PATIENCE)
                    .until(PAUSE, () -> at.stream().allMatch(gateway -> isSeen(gateway, seen, answeredNanos)));
            if (!isSeen) {
                faults.add("%s of %s: a gateway did not answer afterwards".formatted(revocation, session.userId()));
            }
            judge(revocation, session, seen, answeredNanos);
        } finally {
            over.set(1);
        }
    }

    private void watch(
            Revocation revocation, Session session, ConcurrentLinkedQueue<SeenRequest> seen, AtomicInteger over) {
        while (over.get() == 0) {
            once(revocation, session, seen);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static void once(Revocation revocation, Session session, ConcurrentLinkedQueue<SeenRequest> seen) {
        long begunNanos = System.nanoTime();
        try {
            var answer = revocation.use(session);
            if (!Revocation.isUnavailable(answer)) {
                seen.add(new SeenRequest(
                        session.http(), begunNanos, Revocation.isAccepted(answer), revocation.isRefused(answer)));
            }
        } catch (IOException _) {
            LockSupport.parkNanos(PAUSE.toNanos()); // the gateway is away: no answer, no fault
        }
    }

    private static boolean isWarm(Http gateway, ConcurrentLinkedQueue<SeenRequest> seen) {
        return seen.stream()
                        .filter(one -> one.gateway.equals(gateway) && one.isAccepted)
                        .count()
                >= WARM;
    }

    private static boolean isSeen(Http gateway, ConcurrentLinkedQueue<SeenRequest> seen, long answeredNanos) {
        return seen.stream()
                        .filter(one -> one.gateway.equals(gateway) && one.begunNanos - answeredNanos >= 0)
                        .count()
                >= AFTERWARDS;
    }

    /** The time of the answer, or 0 if none came: an unanswered request is repeated at another gateway. */
    private long answered(Revocation revocation, Session session, List<Http> at) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            var gateway = at.get(turns.getAndIncrement() % at.size());
            long begunNanos = System.nanoTime();
            if (revocation.run(session.through(gateway), administrator.through(gateway), this::promote)) {
                long now = System.nanoTime();
                longestNanos.accumulateAndGet(now - begunNanos, Math::max);
                ended.incrementAndGet();
                return now;
            }
        }
        return 0;
    }

    private void judge(
            Revocation revocation, Session session, ConcurrentLinkedQueue<SeenRequest> seen, long answeredNanos) {
        for (var one : seen) {
            long later = one.begunNanos - answeredNanos;
            if (later < 0) {
                continue;
            }
            requestsAfterwards.incrementAndGet();
            if (!one.isRefused) {
                faults.add("%s of %s: a request that began %.1f ms after the answer was %s at %s"
                        .formatted(
                                revocation,
                                session.userId(),
                                later / 1e6,
                                one.isAccepted ? "accepted" : "answered in another way",
                                one.gateway.site().uri("/")));
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        gateways.forEach(Http::close);
    }
}
