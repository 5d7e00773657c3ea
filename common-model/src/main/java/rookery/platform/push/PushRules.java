// SPDX-License-Identifier: Apache-2.0
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
 * A user's push rules, compiled for evaluation against many events: the first enabled rule that matches decides (contract.md
 * 12.2). Immutable; never throws, whatever the content of rules and events.
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

    /** Compiles a whole rule set, default rules included. */
    public static PushRules of(RuleSet rules) {
        return new PushRules(rules);
    }

    /** Evaluates an event for the owner of the rules. Users are not notified of their own events. */
    public Verdict judge(PushedEvent event, RoomFacts facts, Reader reader) {
        if (event.isFrom(reader.user())) {
            return Verdict.NONE;
        }
        var verdict = first(override, event, facts, reader);
        if (verdict == null) {
            verdict = first(content, event, facts, reader);
        }
        if (verdict == null) {
            verdict = room.get(event.room());
        }
        if (verdict == null) {
            verdict = sender.get(event.sender());
        }
        if (verdict == null) {
            verdict = first(underride, event, facts, reader);
        }
        return verdict == null ? Verdict.NONE : verdict;
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

    /** Compiles the conditions of an override, content or underride rule; null if the rule never matches. */
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
