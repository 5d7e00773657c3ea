package rookery.platform.push;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.push.PushRule;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;
import rookery.platform.push.Condition.EventMatch;

/**
 * A user's push rules, ready to be asked about many events: the first rule that is on and matches decides (contract.md 12.2).
 * Immutable. Nothing that rules or events hold makes it throw.
 */
public final class PushRules {
    private final List<Conditional> override;
    private final List<Conditional> content;
    private final Map<String, Verdict> room;
    private final Map<String, Verdict> sender;
    private final List<Conditional> underride;

    private record Conditional(Verdict verdict, List<Condition> conditions) {
        boolean matches(PushedEvent event, RoomFacts room, Reader reader) {
            for (var condition : conditions) {
                if (!condition.holds(event, room, reader)) {
                    return false;
                }
            }
            return true;
        }
    }

    private PushRules(RuleSet rules) {
        this.override = conditional(rules, RuleKind.OVERRIDE);
        this.content = conditional(rules, RuleKind.CONTENT);
        this.room = byId(rules.room());
        this.sender = byId(rules.sender());
        this.underride = conditional(rules, RuleKind.UNDERRIDE);
    }

    /** Of a whole set, with the default rules in it. */
    public static PushRules of(RuleSet rules) {
        return new PushRules(rules);
    }

    /** What becomes of the event for this reader, whose rules these are. Nobody is notified of what they sent. */
    public Verdict judge(PushedEvent event, RoomFacts facts, Reader reader) {
        if (event.isFrom(reader.user())) {
            return Verdict.NONE;
        }
        var found = first(override, event, facts, reader);
        if (found == null) {
            found = first(content, event, facts, reader);
        }
        if (found == null) {
            found = room.get(event.room());
        }
        if (found == null) {
            found = sender.get(event.sender());
        }
        if (found == null) {
            found = first(underride, event, facts, reader);
        }
        return found == null ? Verdict.NONE : found;
    }

    private static @Nullable Verdict first(List<Conditional> rules, PushedEvent event, RoomFacts facts, Reader reader) {
        for (var rule : rules) {
            if (rule.matches(event, facts, reader)) {
                return rule.verdict;
            }
        }
        return null;
    }

    private static Map<String, Verdict> byId(List<PushRule> rules) {
        var verdicts = new HashMap<String, Verdict>();
        for (var rule : rules) {
            if (rule.enabled()) {
                verdicts.putIfAbsent(rule.ruleId().value(), Verdict.of(rule));
            }
        }
        return verdicts;
    }

    private static List<Conditional> conditional(RuleSet rules, RuleKind kind) {
        var ready = new ArrayList<Conditional>();
        for (var rule : rules.of(kind)) {
            var conditions = rule.enabled() ? conditions(kind, rule) : null;
            if (conditions != null) {
                ready.add(new Conditional(Verdict.of(rule), conditions));
            }
        }
        return List.copyOf(ready);
    }

    /** What must hold for a rule of one of the three kinds that have conditions; null if it never can. */
    static @Nullable List<Condition> conditions(RuleKind kind, PushRule rule) {
        if (kind == RuleKind.CONTENT) {
            var pattern = rule.pattern();
            return pattern == null ? null : List.of(new EventMatch(PushedEvent.BODY, Glob.of(pattern)));
        }
        var conditions = new ArrayList<Condition>();
        for (var stored : rule.conditions() == null ? List.<Map<String, Object>>of() : rule.conditions()) {
            var condition = Condition.of(stored);
            if (condition == null) {
                return null;
            }
            conditions.add(condition);
        }
        return List.copyOf(conditions);
    }
}
