// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import rookery.platform.push.Interests;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushRules;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A connected user's push rules. Compiled rules are kept only for users with own rules. */
final class Rules {
    private static final Logger log = LoggerFactory.getLogger(Rules.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    /** The characters of all kept variants; a character of compiled rules takes 2 to 24 bytes, as measured in push-service. */
    private static final long VARIANT_CHARACTERS_MAX = 2L << 20;

    private static final int OVERHEAD_CHARACTERS = 2_000;
    private static final LoadingCache<String, PushRules> OF_VARIANT = Caffeine.newBuilder()
            .maximumWeight(VARIANT_CHARACTERS_MAX)
            .<String, PushRules>weigher((variant, _) -> OVERHEAD_CHARACTERS + variant.length())
            .build(OwnRules::ofVariant);

    final UserId user;
    private final @Nullable RulesText text;
    private final Interests interests;
    private final @Nullable PushRules ready;

    /** @param text the content of {@code m.push_rules}; null if unknown */
    Rules(UserId user, @Nullable RulesText text) {
        this.user = user;
        this.text = text;
        var rules = read(user, text);
        this.interests = Interests.of(rules, user);
        this.ready = hasOwn() ? PushRules.of(rules) : null;
    }

    private boolean hasOwn() {
        return interests.always() || !interests.terms().isEmpty();
    }

    static RuleSet read(UserId user, @Nullable RulesText text) {
        var defaults = DefaultRules.of(user);
        if (text == null) {
            return defaults;
        }
        try {
            var global = JSON.readTree(text.json()).get("global");
            return global == null ? defaults : defaults.with(JSON.treeToValue(global, RuleSet.class));
        } catch (JacksonException e) {
            log.atError().setCause(e).log("push rules cannot be read");
            return defaults;
        }
    }

    /** Whether these rules come from the text. */
    boolean areOf(@Nullable RulesText other) {
        return text == null ? other == null : text.equals(other);
    }

    /** Equal for users whose default rules give equal verdicts for events that do not mention them. */
    String variant() {
        return interests.variant();
    }

    /** The compiled rules of all users with this {@link #variant}, judged with {@link OwnRules#anybody}. */
    PushRules ofVariant() {
        return OF_VARIANT.get(variant());
    }

    /** Whether the verdict for the event may differ from the verdict of the {@link #variant}. */
    boolean areSpecialTo(JudgedEvent event) {
        return event.isAbout(user)
                || interests.always()
                || (hasOwn() && (event.terms() == null || !Collections.disjoint(event.terms(), interests.terms())));
    }

    /** Whether a rule uses the user's display name. */
    boolean askNames() {
        return ready != null && text != null && text.template().contains("contains_display_name");
    }

    PushRules ready() {
        return ready == null ? PushRules.of(read(user, text)) : ready;
    }
}
