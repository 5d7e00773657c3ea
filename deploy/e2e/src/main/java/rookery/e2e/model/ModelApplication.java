// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import rookery.e2e.load.Kills;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;

/** The program behind {@code deploy/e2e/model}: exits with 0 when every response matched the model. */
public final class ModelApplication {
    private static final String CLUSTER = "gateway=1,room=2,sync=3";
    private static final int SHOWN = 8;
    private static final int WORDS_MAX = 400;
    private static final Duration KILL_EVERY = Duration.ofSeconds(6);
    /** All kinds of processes; services with several instances occur more than once. */
    private static final List<String> VICTIMS = List.of(
            "room-service-1",
            "sync-service-1",
            "kafka-1",
            "push-service-1",
            "gateway-1",
            "postgres-1",
            "auth-service-1",
            "redis-1",
            "sync-service-2",
            "directory-service-1",
            "room-service-2",
            "admin-service-1",
            "sync-service-3");

    private final Options options;
    private final Trial trial;
    private int played;

    private ModelApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "model",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new ModelApplication(options, trial).run());
    }

    private boolean run() throws IOException {
        var base = options.quick ? Plan.quick("model") : trial.plan();
        return trial.on(base.cluster(CLUSTER).tenants(Trial.OTHER_TENANT), this::play);
    }

    private boolean play(Rookery rookery) throws IOException {
        var model = new Model(
                rookery,
                List.of("localhost", Trial.OTHER_TENANT),
                options.steps,
                options.atOnce,
                !options.withoutCounts);
        if (!options.sabotages.isEmpty()) {
            return spoil(model);
        }
        if (options.kills > 0) {
            return kill(rookery, model);
        }
        return sum(model.play(options.numbers(), Duration.ofMinutes(options.minutes), List.of(), this::tell));
    }

    private boolean kill(Rookery rookery, Model model) throws IOException {
        var kills = Kills.inTurn(rookery, options.first, options.kills, KILL_EVERY, VICTIMS, trial::say);
        var verdicts = model.playBeside(kills, LongStream.range(options.first, options.first + options.atOnce));
        verdicts.forEach(this::tell);
        return sum(verdicts);
    }

    /** Prints a table; fails when a fault is found, as every run with a fault must. */
    private boolean spoil(Model model) throws IOException {
        boolean caught = false;
        for (var fault : options.sabotages) {
            var verdict = model.spoilt(fault, options.numbers());
            caught |= verdict != null;
            trial.say("%-16s %s"
                    .formatted(
                            fault,
                            verdict == null
                                    ? "NOT CAUGHT"
                                    : "caught by seed %d, %d differences: %s"
                                            .formatted(
                                                    verdict.seed(),
                                                    verdict.differences().size(),
                                                    shortened(verdict.differences()
                                                            .getFirst()))));
        }
        return !caught;
    }

    private static String shortened(String text) {
        return text.length() <= WORDS_MAX ? text : text.substring(0, WORDS_MAX) + "…";
    }

    private synchronized void tell(Verdict verdict) {
        played++;
        if (!verdict.isFine()) {
            trial.say("seed %d: %d differences; again: deploy/e2e/model --first %d --seeds 1 --steps %d"
                    .formatted(verdict.seed(), verdict.differences().size(), verdict.seed(), options.steps));
            verdict.differences().stream().limit(SHOWN).forEach(difference -> trial.say("  " + difference));
        } else if (played % 10 == 0) {
            trial.say("%d seeds played".formatted(played));
        }
    }

    private boolean sum(List<Verdict> verdicts) {
        var bad = verdicts.stream().filter(verdict -> !verdict.isFine()).toList();
        trial.say(
                ("%d seeds, %d events, %d answers judged, %d of them with counts in doubt, %d gaps paged back, %d times too busy,"
                                + " counts final %d ms after the end at most: %s")
                        .formatted(
                                verdicts.size(),
                                verdicts.stream().mapToInt(Verdict::events).sum(),
                                verdicts.stream().mapToInt(Verdict::answers).sum(),
                                verdicts.stream().mapToInt(Verdict::doubtful).sum(),
                                verdicts.stream().mapToInt(Verdict::gaps).sum(),
                                verdicts.stream().mapToInt(Verdict::busy).sum(),
                                verdicts.stream()
                                        .mapToLong(verdict ->
                                                verdict.settledAfter().toMillis())
                                        .max()
                                        .orElse(0),
                                outcome(bad)));
        return bad.isEmpty() && !verdicts.isEmpty();
    }

    private static String outcome(List<Verdict> bad) {
        if (bad.isEmpty()) {
            return "ALL AS THE MODEL SAYS";
        }
        var seeds = bad.stream().map(Verdict::seed).toList();
        return bad.stream().allMatch(Verdict::isOnlyPatience)
                ? "NOTHING WRONG, but %d were refused for too long: %s; again, with nothing else on this machine"
                        .formatted(bad.size(), seeds)
                : "%d DIFFER: %s".formatted(bad.size(), seeds);
    }
}
