// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushRules;
import rookery.push.count.Cohorts.CohortKey;
import rookery.push.count.Cohorts.NamedCohort;

/** The compiled rules of cohorts, up to a number of bytes: users can change the actions of all default rules, 4,096 bytes each. */
final class CompiledCohorts {
    static final long BYTES_MAX = 32L << 20;

    /** Measured: the default rules take 16 kB. */
    private static final int BYTES_OF_DEFAULT = 16_000;

    /** Measured: actions take 2 to 24 bytes for a character of their text, most of them if they are many small objects. */
    private static final int BYTES_OF_CHARACTER = 24;

    private final Cache<CohortKey, CompiledRules> kept = Caffeine.newBuilder()
            .maximumWeight(BYTES_MAX)
            .<CohortKey, CompiledRules>weigher((_, compiled) -> compiled.bytes)
            .build();

    private record CompiledRules(PushRules rules, int bytes) {}

    @Nullable
    PushRules ifKept(CohortKey key) {
        var compiled = kept.getIfPresent(key);
        return compiled == null ? null : compiled.rules;
    }

    PushRules of(NamedCohort cohort) {
        return Objects.requireNonNull(kept.get(cohort.key(), _ -> compiled(cohort.text()))).rules;
    }

    private static CompiledRules compiled(String text) {
        return new CompiledRules(OwnRules.ofCohort(text), bytes(text.length()));
    }

    /** About the memory of compiled rules, by the characters of the changes to the default rules. */
    static int bytes(int characters) {
        return BYTES_OF_DEFAULT + BYTES_OF_CHARACTER * characters;
    }

    /** The estimated size of all rules. */
    long bytes() {
        kept.cleanUp();
        return kept.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }
}
