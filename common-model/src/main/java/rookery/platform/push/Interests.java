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
 * Which events a user's own rules can be about, for an index over many users: whoever is not found by a term of an event and
 * need not always be asked gets from it what the default rules say. Those differ only by what the user made of them, by who is
 * mentioned, and by whom a member event is about.
 *
 * @param variant what the user made of the default rules; equal for users to whom they say the same, empty if nothing
 * @param terms of {@link PushedEvent#terms}, one of which every event has that a rule of the user's can match
 * @param always whether there is a rule for which no term can be named
 */
public record Interests(String variant, Set<Term> terms, boolean always) {
    private static final RuleId MASTER = new RuleId(".m.rule.master");
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Terms are copied. */
    public Interests {
        terms = Set.copyOf(terms);
    }

    /** Of a whole set, with the default rules in it. */
    public static Interests of(RuleSet rules, UserId owner) {
        var terms = new HashSet<Term>();
        boolean always = false;
        for (var kind : RuleKind.values()) {
            for (var rule : rules.of(kind)) {
                var wanted = isOwn(rule) ? wanted(kind, rule) : Set.<Term>of();
                always |= wanted == null;
                terms.addAll(wanted == null ? Set.of() : wanted);
            }
        }
        boolean silent =
                rules.find(RuleKind.OVERRIDE, MASTER).filter(PushRule::enabled).isPresent();
        return silent
                ? new Interests(variant(rules, owner), Set.of(), false) // the first rule decides about everything
                : new Interests(variant(rules, owner), terms, always);
    }

    private static boolean isOwn(PushRule rule) {
        return rule.enabled() && !rule.ruleId().isOfDefault();
    }

    /** What an event has if the rule matches it: one term, or none for a rule that never does; null if nobody can say. */
    private static @Nullable Set<Term> wanted(RuleKind kind, PushRule rule) {
        var id = rule.ruleId().value();
        return switch (kind) {
            case ROOM -> Set.of(new Term(Field.ROOM, FoldedText.fold(id)));
            case SENDER -> Set.of(new Term(Field.SENDER, FoldedText.fold(id)));
            case OVERRIDE, CONTENT, UNDERRIDE -> {
                var conditions = PushRules.conditions(kind, rule);
                yield conditions == null ? Set.of() : wanted(conditions);
            }
        };
    }

    /** All conditions must hold, so the best term is enough. */
    private static @Nullable Set<Term> wanted(List<Condition> conditions) {
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
            case PropertyContains(var wanted)
            when wanted.path().equals(PushedEvent.MENTIONED) && wanted.value() instanceof String user ->
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
