// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleKind;
import rookery.platform.push.OwnRules;
import rookery.push.count.Cohorts.NamedCohort;

class CompiledCohortsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final RoomId ROOM = new RoomId("!room0123456789abcdef:one.example");

    private final CompiledCohorts compiled = new CompiledCohorts();

    /** All default rules with other actions, each as long as a user may set them. */
    private static NamedCohort changed(int number) {
        var actions = new ArrayList<Object>(List.of("notify", "variant " + number));
        IntStream.range(0, 1000).forEach(n -> actions.add("%01d".formatted(n % 10)));
        var rules = DefaultRules.of(ADA);
        for (var kind : RuleKind.values()) {
            rules = rules.with(
                    kind,
                    rules.of(kind).stream().map(rule -> rule.acting(actions)).toList());
        }
        return NamedCohort.of(TENANT, OwnRules.of(rules, ADA).cohort(ROOM));
    }

    @Test
    void manyChangesOfAllDefaultRulesStayBelowTheBound() {
        for (int n = 0; n < 100; n++) {
            var cohort = changed(n);
            assertThat(cohort.text()).hasSizeGreaterThan(80_000);
            compiled.of(cohort);
            assertThat(compiled.bytes()).isLessThanOrEqualTo(CompiledCohorts.BYTES_MAX);
        }
        assertThat(compiled.bytes()).isGreaterThan(CompiledCohorts.BYTES_MAX / 2);
    }

    @Test
    void aThousandUsualCohortsAreKept() {
        var cohorts = IntStream.range(0, 1000)
                .mapToObj(n -> NamedCohort.of(TENANT, "[\"\",[[\"override\",[\"variant %d\"]]]]".formatted(n)))
                .toList();
        cohorts.forEach(compiled::of);
        compiled.bytes();
        assertThat(cohorts).allMatch(cohort -> compiled.ifKept(cohort.key()) != null);
    }
}
