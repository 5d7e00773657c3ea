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
import java.util.function.Consumer;
import java.util.stream.LongStream;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Plays many seeds in one cluster, several at the same time. */
public final class Model {
    private final Rookery rookery;
    private final List<String> tenants;
    private final int steps;
    private final int atOnce;

    /**
     * Ready to play.
     *
     * @param tenants by their number
     * @param steps of each person of a conversation
     * @param atOnce how many conversations run at the same time
     */
    public Model(Rookery rookery, List<String> tenants, int steps, int atOnce) {
        this.rookery = rookery;
        this.tenants = List.copyOf(tenants);
        this.steps = steps;
        this.atOnce = atOnce;
    }

    /**
     * The verdicts of all seeds that were begun within the time.
     *
     * @param spoilt nodes beside those that are listed
     * @param progress is told each verdict
     */
    public List<Verdict> play(LongStream seeds, Duration within, List<Instance> spoilt, Consumer<Verdict> progress)
            throws IOException {
        var deadline = Deadline.in(within);
        var places = new Semaphore(atOnce);
        var running = new ArrayList<Future<Verdict>>();
        try (var stage = Stage.in(rookery, tenants, steps, spoilt);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long seed : seeds.toArray()) {
                places.acquire();
                if (deadline.passed()) {
                    break;
                }
                running.add(threads.submit(played(stage, seed, places, progress)));
            }
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
