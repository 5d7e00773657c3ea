// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleSet;
import tools.jackson.databind.json.JsonMapper;

class RulesTextTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");

    private final RulesText adas = RulesText.ofPushService(ADA, rulesThatName("@ada:s"), null);

    @Test
    void whoNeverSetAnySharesOneText() {
        var bobs = RulesText.ofPushService(BOB, rulesThatName("@bob:s"), adas);
        assertThat(bobs.template()).isSameAs(adas.template());
        assertThat(bobs.json()).isEqualTo(rulesThatName("@bob:s"));
        assertThat(adas.json()).isEqualTo(rulesThatName("@ada:s"));
        assertThat(adas.of(BOB)).isEqualTo(bobs);
    }

    @Test
    void othersKeepTheirOwn() {
        String json = rulesThatName("@ada:s"); // rules that name another user
        var bobs = RulesText.ofPushService(BOB, json, adas);
        assertThat(bobs.json()).isEqualTo(json);
        assertThat(bobs).isNotEqualTo(adas.of(BOB));
    }

    @Test
    void onlyTheRulesOfWhoNeverSetAnyAreDefault() {
        assertThat(rules(DefaultRules.of(ADA)).isDefault()).isTrue();
        var keyword = new PushRule(new RuleId("secret"), false, true, List.of("notify"), null, "secret");
        assertThat(rules(DefaultRules.of(ADA).with(new RuleSet(null, List.of(keyword), null, null, null)))
                        .isDefault())
                .isFalse();
    }

    private static RulesText rules(RuleSet rules) {
        return RulesText.ofPushService(ADA, JsonMapper.shared().writeValueAsString(Map.of("global", rules)), null);
    }

    private static String rulesThatName(String user) {
        return "{\"global\":{\"override\":[{\"value\":\"" + user + "\"}]}}";
    }
}
