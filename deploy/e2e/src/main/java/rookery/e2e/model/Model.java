// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import rookery.e2e.fault.FaultAgent;
import rookery.e2e.fault.SyncFault;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Newcomer;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Plays many seeds in one cluster, several of them concurrently.
 *
 * @param tenants in the order of their numbers
 * @param steps of each user of a conversation
 * @param atOnce the number of concurrent conversations
 * @param counts whether unread counts are checked
 */
public record Model(Rookery rookery, List<String> tenants, int steps, int atOnce, boolean counts) {
    /** Numbers of broken nodes, several of which may run at the same time. */
    private static final AtomicInteger NUMBER = new AtomicInteger(20);

    public Model {
        tenants = List.copyOf(tenants);
    }

    /**
     * Plays the seeds. Returns the verdicts of all seeds begun within the time.
     *
     * @param spoilt unlisted broken nodes
     * @param progress receives each verdict
     */
    public List<Verdict> play(LongStream seeds, Duration within, List<Instance> spoilt, Consumer<Verdict> progress)
            throws IOException {
        var deadline = Deadline.in(within);
        var places = new Semaphore(atOnce);
        var running = new ArrayList<Future<Verdict>>();
        try (var stage = Stage.in(rookery, tenants, steps, spoilt, false, counts);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long seed : seeds.toArray()) {
                places.acquireUninterruptibly();
                if (deadline.passed()) {
                    break;
                }
                running.add(threads.submit(played(stage, seed, places, progress)));
            }
            return verdicts(running);
        }
    }

    /**
     * Plays all seeds concurrently until a disturbance, such as kills, has ended.
     *
     * @param meanwhile the disturbance; returns when all processes run again
     */
    public List<Verdict> playBeside(Runnable meanwhile, LongStream seeds) throws IOException {
        try (var stage = Stage.in(rookery, tenants, steps, List.of(), true, counts);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Verdict>>();
            var places = new Semaphore(Integer.MAX_VALUE / 2);
            seeds.forEach(seed -> running.add(threads.submit(played(stage, seed, places, _ -> {}))));
            try {
                // a repeated registration would be refused, so faults start later
                stage.gathered().acquireUninterruptibly(running.size());
                meanwhile.run();
            } finally {
                stage.quiet().countDown();
            }
            return verdicts(running);
        }
    }

    private static List<Verdict> verdicts(List<Future<Verdict>> running) throws IOException {
        try {
            var verdicts = new ArrayList<Verdict>();
            for (var each : running) {
                verdicts.add(each.get());
            }
            return verdicts;
        } catch (ExecutionException e) {
            throw new IOException("a conversation could not be held", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Plays seeds with a broken node. Returns the first verdict with differences, or null when no seed finds the fault.
     *
     * @param fault the name of a {@link SyncFault}
     */
    public @Nullable Verdict spoilt(String fault, LongStream seeds) throws IOException {
        // a node with the fault cut-unit would need minutes to fill its rings
        var flags = List.of(FaultAgent.flag(SyncFault.named(fault)), "-Drookery.sync.ring.fill-entries=0");
        try (var node = Newcomer.start(rookery, InstanceAccess.SYNC, NUMBER.incrementAndGet(), flags)) {
            for (long seed : seeds.toArray()) {
                var verdicts =
                        play(LongStream.range(seed, seed + 1), Duration.ofHours(1), List.of(node.instance()), _ -> {});
                for (var verdict : verdicts) {
                    if (!verdict.isFine()) {
                        return verdict;
                    }
                }
            }
            return null;
        }
    }

    private static Callable<Verdict> played(Stage stage, long seed, Semaphore places, Consumer<Verdict> progress) {
        return () -> {
            try {
                var verdict = new Conversation(stage, seed).hold();
                progress.accept(verdict);
                return verdict;
            } finally {
                places.release();
            }
        };
    }
}
