// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

class RuleSetTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final RuleSet DEFAULTS = DefaultRules.of(new UserId("@ada:one.example"));

    @Test
    void whoNeverChangedARuleHasTheDefaultOnes() {
        assertThat(DEFAULTS.with(stored("{}"))).isEqualTo(DEFAULTS);
        assertThat(DEFAULTS.with(DEFAULTS)).isEqualTo(DEFAULTS);
    }

    @Test
    void usersOwnRulesStandBelowMasterAndAboveTheDefaults() {
        var merged = DEFAULTS.with(stored("""
            {"override":[{"rule_id":"b","default":false,"enabled":true,"actions":["notify"],"conditions":[]},
                         {"rule_id":"a","default":false,"enabled":true,"actions":[],"conditions":[]}],
             "room":[{"rule_id":"!r:one.example","default":false,"enabled":true,"actions":[]}]}
            """));
        assertThat(ids(merged, RuleKind.OVERRIDE))
                .startsWith(".m.rule.master", "b", "a", ".m.rule.suppress_notices")
                .hasSize(13);
        assertThat(ids(merged, RuleKind.ROOM)).containsExactly("!r:one.example");
        assertThat(ids(merged, RuleKind.UNDERRIDE)).isEqualTo(ids(DEFAULTS, RuleKind.UNDERRIDE));
    }

    @Test
    void changedDefaultsStayChangedAndKeepTheirConditions() {
        var merged = DEFAULTS.with(stored("""
            {"underride":[{"rule_id":".m.rule.message","default":true,"enabled":false,"actions":["dont_notify"],
                           "conditions":[{"kind":"event_match","key":"type","pattern":"something old"}]}]}
            """));
        var message =
                merged.find(RuleKind.UNDERRIDE, new RuleId(".m.rule.message")).orElseThrow();
        assertThat(message.enabled()).isFalse();
        assertThat(message.actions()).containsExactly("dont_notify");
        assertThat(message.isDefault()).isTrue();
        assertThat(message.conditions()).asString().contains("m.room.message");
        assertThat(ids(merged, RuleKind.UNDERRIDE)).isEqualTo(ids(DEFAULTS, RuleKind.UNDERRIDE));
    }

    @Test
    void defaultsThatAreNoMoreAreGone() {
        var merged = DEFAULTS.with(stored("""
            {"content":[{"rule_id":".m.rule.contains_user_name","default":true,"enabled":true,"actions":[]},
                        {"rule_id":"cake","default":false,"enabled":true,"actions":["notify"],"pattern":"cake"}]}
            """));
        assertThat(ids(merged, RuleKind.CONTENT)).containsExactly("cake");
    }

    @Test
    void whatIsNotUnderstoodIsServedAsItWasStored() {
        var rule = """
            {"rule_id":"x","default":false,"enabled":true,"actions":["boo",{"set_tweak":"colour","value":{"r":1.5}}],\
            "conditions":[{"kind":"moon_phase","is":["full",null]}]}""";
        var merged = DEFAULTS.with(stored("{\"override\":[" + rule + "]}"));
        var served = JSON.writeValueAsString(
                merged.find(RuleKind.OVERRIDE, new RuleId("x")).orElseThrow());
        assertThat(served).isEqualTo(rule);
    }

    private static RuleSet stored(String json) {
        return JSON.readValue(json, RuleSet.class);
    }

    private static List<String> ids(RuleSet rules, RuleKind kind) {
        return rules.of(kind).stream().map(rule -> rule.ruleId().value()).toList();
    }
}
