package rookery.e2e.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is wrong with a conversation.
 *
 * @param differences from what the model says; none when all is as promised
 * @param answers how many answers of sync were judged
 * @param gaps how many limited timelines were paged back
 */
public record Verdict(long seed, List<String> differences, int events, int answers, int gaps) {
    public Verdict {
        differences = List.copyOf(differences);
    }

    static Verdict of(long seed, Evidence evidence, boolean punctual) {
        var differences = new ArrayList<>(evidence.diary().troubles());
        var single = new ExchangeCheck(evidence, punctual, differences::add);
        evidence.diary().exchanges().forEach(single::check);
        var chains = new LinkedHashMap<String, List<Exchange>>();
        for (var exchange : evidence.diary().exchanges()) {
            chains.computeIfAbsent(exchange.chain(), _ -> new ArrayList<>()).add(exchange);
        }
        for (Map.Entry<String, List<Exchange>> chain : chains.entrySet()) {
            if (chain.getKey().isEmpty() || chain.getKey().endsWith("!")) {
                continue;
            }
            var check = new ChainCheck(evidence, chain.getValue(), differences::add);
            check.follow();
            chains.getOrDefault(chain.getKey() + "!", List.of()).forEach(check::checkEnd);
        }
        int events = evidence.stories().values().stream()
                .mapToInt(story -> story.events().size())
                .sum();
        return new Verdict(
                seed,
                differences,
                events,
                evidence.diary().exchanges().size(),
                evidence.diary().pages().size());
    }

    /** Whether all is as promised. */
    public boolean isFine() {
        return differences.isEmpty();
    }
}
