// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;
import rookery.platform.json.CanonicalJson;
import rookery.platform.push.Condition.EventMatch;
import rookery.platform.push.Term.Field;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A user's rules, divided for a service that evaluates an event once for many users. The first part applies to every event of a
 * room and is shared by many users (their cohort). The second part applies to some events only, and an index finds the user for
 * such an event.
 *
 * <p>Clients mute a room by a rule for that room alone, so many users have one: such rules belong to the cohort, and so do rules
 * without conditions.
 */
public final class OwnRules {
    private static final String UNTOUCHED = "";
    private static final RuleId MASTER = new RuleId(".m.rule.master");
    /** The two default rules that contain their owner's id: evaluated only for users whom an event names. */
    private static final Set<RuleId> PERSONAL =
            Set.of(new RuleId(".m.rule.invite_for_me"), new RuleId(".m.rule.is_user_mention"));

    private static final UserId ANYBODY = new UserId("@_:_");
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<List<Object>> ACTIONS = new TypeReference<>() {};

    private final PushRules all;
    private final String variant;
    private final Set<Term> terms;
    private final boolean always;
    private final List<General> general;

    /**
     * A rule about all events of one room or of all rooms.
     *
     * @param rooms folded room ids; all must equal the event's room
     */
    private record General(
            RuleKind kind,
            List<Object> actions,
            Set<String> rooms,
            @Nullable String exactRoom) {
        boolean holdsIn(RoomId room, String folded) {
            return exactRoom == null
                    ? rooms.stream().allMatch(folded::equals)
                    : room.value().equals(exactRoom);
        }
    }

    private OwnRules(PushRules all, Interests interests, List<General> general) {
        this.all = all;
        this.variant = interests.variant();
        this.terms = interests.terms();
        this.always = interests.always();
        this.general = List.copyOf(general);
    }

    /** Divides a whole rule set, default rules included. */
    public static OwnRules of(RuleSet rules, UserId owner) {
        var general = new ArrayList<General>();
        var rest = rules;
        for (var kind : RuleKind.values()) {
            var others = new ArrayList<PushRule>();
            for (var rule : rules.of(kind)) {
                var found = general(kind, rule);
                if (found == null) {
                    others.add(rule);
                } else {
                    general.add(found);
                }
            }
            rest = rest.with(kind, others);
        }
        return new OwnRules(PushRules.of(rules), Interests.of(rest, owner), general);
    }

    public PushRules all() {
        return all;
    }

    /** The keys by which an index finds the user, without the terms of rules that {@link #always} covers. */
    public Set<Long> terms() {
        var keys = new HashSet<Long>();
        terms.stream().filter(OwnRules::isIndexed).forEach(term -> keys.add(key(term)));
        return keys;
    }

    /** The keys of an event for {@link #terms}; null if all users must be evaluated. */
    public static @Nullable Set<Long> terms(PushedEvent event) {
        var terms = event.terms();
        if (terms == null) {
            return null;
        }
        var keys = new HashSet<Long>();
        terms.stream().filter(OwnRules::isIndexed).forEach(term -> keys.add(key(term)));
        return keys;
    }

    /** Whether the user's rules must be evaluated for every event of the room. */
    public boolean always(RoomId room) {
        return always
                || terms.stream().anyMatch(term -> term.field() == Field.TYPE)
                || terms.contains(new Term(Field.ROOM, FoldedText.fold(room.value())));
    }

    /**
     * The cohort of the user in the room: users with equal text get equal verdicts for events that match none of their other
     * rules. Empty without changes to the default rules.
     */
    public String cohort(RoomId room) {
        var folded = FoldedText.fold(room.value());
        var first = new ArrayList<List<Object>>();
        var seen = new HashSet<RuleKind>();
        for (var rule : general) {
            if (rule.holdsIn(room, folded) && seen.add(rule.kind)) {
                first.add(List.of(rule.kind.word, rule.actions));
            }
        }
        return first.isEmpty() && variant.isEmpty()
                ? UNTOUCHED
                : CanonicalJson.writeWithFloats(JSON.valueToTree(List.of(variant, first)));
    }

    /** The rules of every member of that {@link #cohort} whom the event does not name; evaluated with {@link #anybody}. */
    public static PushRules ofCohort(String cohort) {
        var rules = DefaultRules.of(ANYBODY);
        if (!cohort.isEmpty()) {
            var parts = JSON.readTree(cohort);
            var variant = parts.path(0).stringValue();
            rules = variant.isEmpty() ? rules : changed(rules, JSON.readTree(variant));
            rules = withGeneral(rules, parts.path(1));
        }
        for (var kind : RuleKind.values()) {
            rules = rules.with(
                    kind,
                    rules.of(kind).stream()
                            .filter(rule -> !PERSONAL.contains(rule.ruleId()))
                            .toList());
        }
        return PushRules.of(rules);
    }

    /** The default rules with a user's changes ({@link Interests#variant}), for events that do not name the user. */
    public static PushRules ofVariant(String variant) {
        return ofCohort(
                variant.isEmpty()
                        ? UNTOUCHED
                        : CanonicalJson.writeWithFloats(JSON.valueToTree(List.of(variant, List.of()))));
    }

    /** A reader without display name who sends no events. */
    public static Reader anybody() {
        return new Reader(ANYBODY, null);
    }

    private static RuleSet changed(RuleSet rules, JsonNode changes) {
        for (var change : changes) {
            var id = new RuleId(change.path(0).stringValue());
            boolean on = change.path(1).booleanValue();
            List<Object> actions = JSON.treeToValue(change.path(2), ACTIONS);
            for (var kind : RuleKind.values()) {
                rules = rules.with(
                        kind,
                        rules.of(kind).stream()
                                .map(rule -> rule.ruleId().equals(id)
                                        ? rule.enabled(on).acting(actions)
                                        : rule)
                                .toList());
            }
        }
        return rules;
    }

    /**
     * Inserts the general rules of the cohort. A room rule goes above all underride rules, because the cohort has no
     * rules in between.
     */
    private static RuleSet withGeneral(RuleSet rules, JsonNode general) {
        var underride = new ArrayList<PushRule>();
        for (var rule : general) {
            var kind = RuleKind.of(rule.path(0).stringValue()).orElseThrow();
            List<Object> actions = JSON.treeToValue(rule.path(1), ACTIONS);
            var own = new PushRule(new RuleId(kind.word), false, true, actions, List.of(), null);
            if (kind == RuleKind.OVERRIDE) {
                var override = new ArrayList<>(rules.override());
                override.add(override.getFirst().ruleId().equals(MASTER) ? 1 : 0, own);
                rules = rules.with(RuleKind.OVERRIDE, override);
            } else {
                underride.add(own); // in the order of kinds: room rules first
            }
        }
        underride.addAll(rules.underride());
        return rules.with(RuleKind.UNDERRIDE, underride);
    }

    private static @Nullable General general(RuleKind kind, PushRule rule) {
        if (!rule.enabled() || rule.ruleId().isOfDefault()) {
            return null;
        }
        return switch (kind) {
            case ROOM ->
                new General(kind, rule.actions(), Set.of(), rule.ruleId().value());
            case OVERRIDE, UNDERRIDE -> {
                var conditions = PushRules.conditions(kind, rule);
                var rooms = conditions == null ? null : rooms(conditions);
                yield rooms == null ? null : new General(kind, rule.actions(), rooms, null);
            }
            case CONTENT, SENDER -> null;
        };
    }

    /** The rooms that the conditions name; null if there are other conditions. */
    private static @Nullable Set<String> rooms(List<Condition> conditions) {
        var rooms = new HashSet<String>();
        for (var condition : conditions) {
            var room = condition instanceof EventMatch match && match.path().equals(PushedEvent.ROOM)
                    ? match.pattern().literalText()
                    : null;
            if (room == null) {
                return null;
            }
            rooms.add(room);
        }
        return rooms;
    }

    private static boolean isIndexed(Term term) {
        return switch (term.field()) {
            case SENDER, MENTION, WORD -> true;
            case ROOM, TYPE -> false; // every event of a room has its room, and nearly every message the same type
        };
    }

    /** Two terms may share a key; then a user is evaluated unnecessarily. */
    private static long key(Term term) {
        var text = term.field().name().charAt(0) + term.value();
        var crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue() << Integer.SIZE | Integer.toUnsignedLong(text.hashCode());
    }
}
