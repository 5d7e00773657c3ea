// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;
import rookery.platform.json.CanonicalJson;
import rookery.platform.push.Condition.EventMatch;
import rookery.platform.push.Condition.PropertyContains;
import rookery.platform.push.Term.Field;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events that a user's own rules can match, for an index over many users. A user without a matching term, and without {@code
 * always}, gets the verdict of the default rules. That verdict differs only by the user's changes to the default rules, by
 * mentions and by the subject of a member event.
 *
 * @param variant the user's changes to the default rules; equal for users with the same verdicts, empty without changes
 * @param terms terms of {@link PushedEvent#terms}; every event that one of the user's own rules matches has at least one
 * @param always whether a rule has no such term
 */
public record Interests(String variant, Set<Term> terms, boolean always) {
    private static final RuleId MASTER = new RuleId(".m.rule.master");
    private static final JsonMapper JSON = JsonMapper.shared();

    public Interests {
        terms = Set.copyOf(terms);
    }

    /** Returns the interests of a whole rule set, default rules included. */
    public static Interests of(RuleSet rules, UserId owner) {
        var terms = new HashSet<Term>();
        boolean always = false;
        for (var kind : RuleKind.values()) {
            for (var rule : rules.of(kind)) {
                var required = isOwn(rule) ? required(kind, rule) : Set.<Term>of();
                always |= required == null;
                terms.addAll(required == null ? Set.of() : required);
            }
        }
        boolean silent =
                rules.find(RuleKind.OVERRIDE, MASTER).filter(PushRule::enabled).isPresent();
        return silent
                ? new Interests(variant(rules, owner), Set.of(), false) // the master rule decides about every event
                : new Interests(variant(rules, owner), terms, always);
    }

    private static boolean isOwn(PushRule rule) {
        return rule.enabled() && !rule.ruleId().isOfDefault();
    }

    /** The terms of events that the rule matches: one term, or none for a rule that never matches; null if unknown. */
    private static @Nullable Set<Term> required(RuleKind kind, PushRule rule) {
        var id = rule.ruleId().value();
        return switch (kind) {
            case ROOM -> Set.of(new Term(Field.ROOM, FoldedText.fold(id)));
            case SENDER -> Set.of(new Term(Field.SENDER, FoldedText.fold(id)));
            case OVERRIDE, CONTENT, UNDERRIDE -> {
                var conditions = PushRules.conditions(kind, rule);
                yield conditions == null ? Set.of() : required(conditions);
            }
        };
    }

    /** All conditions must match, so one term is enough: the most selective. */
    private static @Nullable Set<Term> required(List<Condition> conditions) {
        return conditions.stream()
                .map(Interests::term)
                .filter(Objects::nonNull)
                .min(Comparator.comparing(Term::field))
                .map(Set::of)
                .orElse(null);
    }

    private static @Nullable Term term(Condition condition) {
        return switch (condition) {
            case EventMatch match -> term(match);
            case PropertyContains(var required)
            when required.path().equals(PushedEvent.MENTIONED) && required.value() instanceof String user ->
                new Term(Field.MENTION, user);
            default -> null;
        };
    }

    private static @Nullable Term term(EventMatch match) {
        if (match.isOfBody()) {
            var word = match.pattern().term();
            return word == null ? null : new Term(Field.WORD, word);
        }
        var field = match.path().equals(PushedEvent.ROOM)
                ? Field.ROOM
                : match.path().equals(PushedEvent.SENDER)
                        ? Field.SENDER
                        : match.path().equals(PushedEvent.TYPE) ? Field.TYPE : null;
        var text = match.pattern().literalText();
        return field == null || text == null ? null : new Term(field, text);
    }

    private static String variant(RuleSet rules, UserId owner) {
        var changed = new ArrayList<List<Object>>();
        var defaults = DefaultRules.of(owner);
        for (var kind : RuleKind.values()) {
            for (var rule : defaults.of(kind)) {
                rules.find(kind, rule.ruleId())
                        .filter(users -> !users.equals(rule))
                        .ifPresent(users -> changed.add(List.of(users.ruleId(), users.enabled(), users.actions())));
            }
        }
        return changed.isEmpty() ? "" : CanonicalJson.writeWithFloats(JSON.valueToTree(changed));
    }
}
