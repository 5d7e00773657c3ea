// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All push rules of a user: the object under {@code global}, every list in the order of evaluation (contract.md 12.1, 12.2). */
public record RuleSet(
        List<PushRule> override,
        List<PushRule> content,
        List<PushRule> room,
        List<PushRule> sender,
        List<PushRule> underride) {
    /** No rules at all. */
    public static final RuleSet NONE = new RuleSet(null, null, null, null, null);

    private static final RuleId MASTER = new RuleId(".m.rule.master");

    /** Reads an absent list of stored rules as an empty list. */
    public RuleSet(
            @JsonProperty("override") @Nullable List<PushRule> override,
            @JsonProperty("content") @Nullable List<PushRule> content,
            @JsonProperty("room") @Nullable List<PushRule> room,
            @JsonProperty("sender") @Nullable List<PushRule> sender,
            @JsonProperty("underride") @Nullable List<PushRule> underride) {
        this.override = orEmpty(override);
        this.content = orEmpty(content);
        this.room = orEmpty(room);
        this.sender = orEmpty(sender);
        this.underride = orEmpty(underride);
    }

    private static List<PushRule> orEmpty(@Nullable List<PushRule> rules) {
        return rules == null ? List.of() : List.copyOf(rules);
    }

    /** The rules of one kind, in the order of evaluation. */
    public List<PushRule> of(RuleKind kind) {
        return switch (kind) {
            case OVERRIDE -> override;
            case CONTENT -> content;
            case ROOM -> room;
            case SENDER -> sender;
            case UNDERRIDE -> underride;
        };
    }

    /** Returns only the default rules, with the user's changes. */
    public RuleSet withoutOwn() {
        var rules = this;
        for (var kind : RuleKind.values()) {
            rules = rules.with(
                    kind,
                    of(kind).stream()
                            .filter(rule -> rule.ruleId().isOfDefault())
                            .toList());
        }
        return rules;
    }

    /** Counts the rules that the user has created. */
    public int own() {
        int own = 0;
        for (var kind : RuleKind.values()) {
            own += (int) of(kind).stream()
                    .filter(rule -> !rule.ruleId().isOfDefault())
                    .count();
        }
        return own;
    }

    /** Empty if that kind has no such rule. */
    public Optional<PushRule> find(RuleKind kind, RuleId id) {
        return of(kind).stream().filter(rule -> rule.ruleId().equals(id)).findFirst();
    }

    /**
     * Merges these defaults with a user's stored rules: the master rule first, then the user's own rules, then the other
     * defaults. A stored default keeps its actions and whether it is on. A default that is missing from the stored rules is
     * added, and one that this release does not have is dropped.
     */
    public RuleSet with(RuleSet users) {
        return new RuleSet(
                merged(RuleKind.OVERRIDE, users),
                merged(RuleKind.CONTENT, users),
                merged(RuleKind.ROOM, users),
                merged(RuleKind.SENDER, users),
                merged(RuleKind.UNDERRIDE, users));
    }

    /** Returns these rules with the rules of one kind replaced. */
    public RuleSet with(RuleKind kind, List<PushRule> rules) {
        return new RuleSet(
                kind == RuleKind.OVERRIDE ? rules : override,
                kind == RuleKind.CONTENT ? rules : content,
                kind == RuleKind.ROOM ? rules : room,
                kind == RuleKind.SENDER ? rules : sender,
                kind == RuleKind.UNDERRIDE ? rules : underride);
    }

    private List<PushRule> merged(RuleKind kind, RuleSet users) {
        var stored = users.of(kind).stream()
                .collect(Collectors.toMap(PushRule::ruleId, Function.identity(), (first, _) -> first));
        var defaults = of(kind).stream()
                .map(rule -> changed(rule, stored.get(rule.ruleId())))
                .toList();
        Predicate<PushRule> isMaster = rule -> rule.ruleId().equals(MASTER);
        var all = new ArrayList<PushRule>();
        defaults.stream().filter(isMaster).forEach(all::add);
        users.of(kind).stream().filter(rule -> !rule.ruleId().isOfDefault()).forEach(all::add);
        defaults.stream().filter(isMaster.negate()).forEach(all::add);
        return all;
    }

    private static PushRule changed(PushRule rule, @Nullable PushRule users) {
        return users == null ? rule : rule.enabled(users.enabled()).acting(users.actions());
    }
}
