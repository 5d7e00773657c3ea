// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.lossless;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.Talk;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;

/** The program behind {@code deploy/e2e/lossless}: exits with 0 when no event is missing, doubled or reordered. */
public final class LosslessApplication {
    private static final String ELSEWHERE = "talk";
    private static final String PROMISE = "LOSSLESS";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final List<Integer> PEOPLE = List.of(12, 8);
    private static final List<Integer> ROOMS = List.of(3, 2);

    private final Options options;
    private final Trial trial;

    private LosslessApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "lossless",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new LosslessApplication(options, trial).run());
    }

    private boolean run() throws IOException {
        if (options.remote != null) {
            return talkTo(options.remote);
        }
        boolean fine = true;
        for (var scenario : options.scenarios()) {
            fine &= play(scenario);
        }
        return fine;
    }

    private boolean play(Scenario scenario) throws IOException {
        var part = trial.part(scenario.title());
        var plan = scenario.plan(part.plan().tenants(Trial.OTHER_TENANT));
        return part.on(plan, rookery -> talk(scenario, part, rookery));
    }

    private boolean talk(Scenario scenario, Trial part, Rookery rookery) throws IOException {
        var sizes = List.of(
                new Crowd.TenantSize(rookery.site(), PEOPLE.getFirst(), ROOMS.getFirst()),
                new Crowd.TenantSize(rookery.site(Trial.OTHER_TENANT), PEOPLE.getLast(), ROOMS.getLast()));
        try (var crowd = Crowd.gather("crowd", sizes)) {
            part.say("the crowd has gathered");
            var amount = Talk.Amount.steady(options.perSecond, options.length).patience(PATIENCE);
            var talk = Talk.hold(rookery, crowd, amount, scenario.disturbance(rookery, options, part::say));
            return part.judge(talk.faults(scenario.patience()), PROMISE, talk.summary());
        }
    }

    private boolean talkTo(RemoteRookery remote) throws IOException {
        var part = trial.part(ELSEWHERE);
        int people = PEOPLE.stream().mapToInt(number -> number).sum();
        int rooms = ROOMS.stream().mapToInt(number -> number).sum();
        var name = "crowd" + options.seed; // earlier runs may have used other names
        try (var crowd = Crowd.gather(name, List.of(new Crowd.TenantSize(remote.site(), people, rooms)))) {
            part.say("the crowd has gathered");
            // with a stop file the talk has no planned number of messages
            var length = remote.stopFile == null ? options.length : Duration.ZERO;
            var amount = Talk.Amount.steady(options.perSecond, length).patience(PATIENCE);
            var talk = Talk.hold(remote, crowd, amount, () -> remote.awaitEnd(options.length));
            return part.judge(talk.faults(null), PROMISE, talk.summary());
        }
    }
}
