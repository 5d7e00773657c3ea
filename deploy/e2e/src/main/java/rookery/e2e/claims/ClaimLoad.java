// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Session;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;
import rookery.e2e.load.Kills;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Clients claim keys, one in each request, until every device's keys are used up, while instances are killed. The keys are
 * divided into one part more than there are kills: each kill happens in the middle of its part, and the last part follows after
 * all instances have restarted. A failed claim is not repeated; the client claims the next key.
 */
public final class ClaimLoad {
    private static final String RANDOM = "L64X128MixRandom";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LOOK_EVERY = Duration.ofMillis(2);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(20);
    private static final int ENOUGH = 1 << 20;

    private final Rookery rookery;
    private final List<Session> clients;
    private final List<KeyOwner> owners;
    private final List<String> victims;
    private final Consumer<String> progress;

    private final Semaphore permits = new Semaphore(0);
    private final AtomicInteger answered = new AtomicInteger();
    private final List<KeyOwner> left;
    private final Queue<Claim> claims = new ConcurrentLinkedQueue<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();

    private ClaimLoad(
            Rookery rookery,
            List<Session> clients,
            List<KeyOwner> owners,
            List<String> victims,
            Consumer<String> progress) {
        this.rookery = rookery;
        this.clients = clients;
        this.owners = owners;
        this.victims = victims;
        this.progress = progress;
        this.left = new CopyOnWriteArrayList<>(owners);
    }

    /**
     * Runs the load. Returns the claims.
     *
     * @param owners new devices, which upload keys before the claims
     * @param keys of each owner, at most 1,000
     * @param victims instances to kill, in this order; an instance may occur several times
     * @param progress receives a line for each kill
     */
    public static ClaimReport hold(
            Rookery rookery,
            List<Session> clients,
            List<Session> owners,
            int keys,
            List<String> victims,
            Consumer<String> progress)
            throws IOException {
        var stocked = new ArrayList<KeyOwner>();
        for (var owner : owners) {
            stocked.add(KeyOwner.uploading(owner, keys));
        }
        return new ClaimLoad(rookery, clients, stocked, victims, progress).hold();
    }

    private ClaimReport hold() throws IOException {
        long begunNanos = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var claiming = new ArrayList<Future<?>>();
            for (int i = 0; i < clients.size(); i++) {
                var client = clients.get(i);
                var random = RandomGeneratorFactory.of(RANDOM).create(i);
                claiming.add(threads.submit(() -> claimAll(client, random)));
            }
            long lastPartNanos;
            int before;
            try {
                killAll();
                before = answered.get();
                lastPartNanos = System.nanoTime();
            } finally {
                permits.release(ENOUGH); // also after a failed kill, so that the clients end
            }
            for (var one : claiming) {
                one.get();
            }
            var undisturbed = new ClaimReport.Rate(answered.get() - before, sinceNanos(lastPartNanos));
            claimTheRest();
            return new ClaimReport(
                    owners.stream().map(KeyOwner::stock).toList(),
                    List.copyOf(claims),
                    List.copyOf(troubles),
                    sinceNanos(begunNanos),
                    undisturbed);
        } catch (ExecutionException e) {
            throw new IOException("a client could not claim", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Duration sinceNanos(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private void claimAll(Session client, RandomGenerator random) {
        while (true) {
            permits.acquireUninterruptibly();
            var owner = anyOf(left, random);
            if (owner == null) {
                return;
            }
            var claim = owner.claimedBy(client);
            claims.add(claim);
            if (claim.outcome() instanceof NoAnswer) {
                permits.release();
                LockSupport.parkNanos(AFTER_FAILURE.toNanos());
            } else {
                answered.incrementAndGet();
            }
            if (isLast(owner, claim)) {
                left.remove(owner);
            }
        }
    }

    private static @Nullable KeyOwner anyOf(List<KeyOwner> owners, RandomGenerator random) {
        var now = List.copyOf(owners);
        return now.isEmpty() ? null : now.get(random.nextInt(now.size()));
    }

    private static boolean isLast(KeyOwner owner, Claim claim) {
        return claim.outcome() instanceof KeyAnswer(ClaimableKey key)
                && key.equals(owner.stock().fallback());
    }

    private void killAll() {
        int keys = owners.stream()
                .mapToInt(owner -> owner.stock().oneTime().size())
                .sum();
        int part = keys / (victims.size() + 1);
        int moment = part / 2;
        var killed = new HashMap<String, Instance>();
        for (var victim : victims) {
            Kills.awaitRunning(rookery, victim, killed.get(victim));
            permits.release(part);
            awaitAnswered(moment);
            var instance = Objects.requireNonNull(rookery.kill(victim), victim + " does not run");
            killed.put(victim, instance);
            progress.accept("after %d claims: killed %s".formatted(answered.get(), instance));
            moment += part;
        }
        killed.forEach((victim, instance) -> Kills.awaitRunning(rookery, victim, instance));
        progress.accept("after %d claims: all run again".formatted(answered.get()));
    }

    private void awaitAnswered(int number) {
        if (!Deadline.in(PATIENCE).until(LOOK_EVERY, () -> answered.get() >= number)) {
            throw new IllegalStateException(
                    "only %d claims were answered; troubles: %s".formatted(answered.get(), troubles));
        }
    }

    /**
     * The key of a killed claim is free again, and later claims may have got the fallback key before: without kills, one client
     * claims from each owner until the response is the fallback key, and each owner must see a count of zero.
     */
    private void claimTheRest() {
        var client = clients.getFirst();
        for (var owner : owners) {
            boolean isUsedUp = Deadline.in(PATIENCE).until(LOOK_EVERY, () -> {
                var claim = owner.claimedBy(client);
                claims.add(claim);
                return isLast(owner, claim);
            });
            if (!isUsedUp) {
                troubles.add("%s gave no fallback key in the end"
                        .formatted(owner.stock().device()));
            }
            if (!Deadline.in(PATIENCE).until(owner::knowsThatItIsEmpty)) {
                troubles.add("%s did not see that its keys are used up"
                        .formatted(owner.stock().device()));
            }
        }
    }
}
