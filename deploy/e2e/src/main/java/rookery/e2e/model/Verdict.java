// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a conversation's check.
 *
 * @param differences from the model; empty when all promises are kept
 * @param answers the number of checked sync responses
 * @param gaps the number of limited timelines whose gaps were read
 * @param doubtful the number of responses with doubtful counts
 * @param busy the number of refusals because of overload
 * @param settledAfter the time from the last action until all counts were final
 */
public record Verdict(
        long seed,
        List<String> differences,
        int events,
        int answers,
        int gaps,
        int doubtful,
        int busy,
        Duration settledAfter) {
    public Verdict {
        differences = List.copyOf(differences);
    }

    static Verdict of(long seed, Evidence evidence, Demands demands) {
        var differences = new ArrayList<>(evidence.history().troubles());
        checkMessages(evidence, differences);
        var single = new ExchangeCheck(evidence, demands, differences::add);
        evidence.history().exchanges().forEach(single::check);
        var chains = new LinkedHashMap<String, List<Exchange>>();
        for (var exchange : evidence.history().exchanges()) {
            chains.computeIfAbsent(exchange.chain(), _ -> new ArrayList<>()).add(exchange);
        }
        for (Map.Entry<String, List<Exchange>> chain : chains.entrySet()) {
            if (chain.getKey().isEmpty()) {
                continue;
            }
            var check = new ChainCheck(evidence, chain.getValue(), demands, differences::add);
            check.follow();
            evidence.history().ends(chain.getKey()).forEach(check::checkEnd);
        }
        var connections = new LinkedHashMap<String, List<SlidingExchange>>();
        for (var exchange : evidence.history().slidingExchanges()) {
            connections
                    .computeIfAbsent(exchange.chain(), _ -> new ArrayList<>())
                    .add(exchange);
        }
        connections.values().forEach(chain -> new SlidingCheck(evidence, chain, differences::add).follow());
        int events = evidence.stories().values().stream()
                .mapToInt(story -> story.events().size())
                .sum();
        return new Verdict(
                seed,
                differences,
                events,
                evidence.history().exchanges().size()
                        + evidence.history().slidingExchanges().size(),
                evidence.history().pages().size(),
                single.doubtful(),
                evidence.history().busy(),
                evidence.history().settledAfter());
    }

    /** Each accepted message must be in the log exactly once. */
    private static void checkMessages(Evidence evidence, List<String> differences) {
        var times = new HashMap<String, Integer>();
        for (var story : evidence.stories().values()) {
            story.events()
                    .forEach(event -> times.merge(event.content().path("body").asString(""), 1, Integer::sum));
        }
        for (var act : evidence.history().acts()) {
            if (act.kind() == Action.Kind.MESSAGE && evidence.place(act.eventId()) == null) {
                differences.add("%s was accepted and is not in the log".formatted(act));
            }
            if (act.kind() == Action.Kind.MESSAGE && times.getOrDefault(act.value(), 0) > 1) {
                differences.add("%s is in the log %d times".formatted(act, times.get(act.value())));
            }
        }
    }

    /** Whether the check found no difference. */
    public boolean isFine() {
        return differences.isEmpty();
    }

    /** Whether all differences are refusals over a long time, as an overloaded machine causes. */
    boolean isOnlyPatience() {
        return differences.stream().allMatch(difference -> difference.contains(" gave up"));
    }
}
