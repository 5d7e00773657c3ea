// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleSet;
import tools.jackson.databind.json.JsonMapper;

/** What a user's own rules do (contract.md 12.2, 12.4, 12.5). */
class PushRulesTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final Reader READER = new Reader(ADA, "Ada L.");
    private static final RoomFacts ROOM = new RoomFacts(7, 50, Map.of("party", 60L, "tea", 40L));
    private static final RuleSet DEFAULTS = DefaultRules.of(ADA);
    private static final String MESSAGE = """
            {"type":"m.room.message","sender":"@bob:one.example","content":{"msgtype":"m.text","body":"Cake for Ada L., at 5!",
             "n":5,"f":5.5,"big":99999999999999999999999,"yes":true,"nothing":null,"list":["a",1,true,null,["b"],2.5],
             "a.b":{"c\\\\d":"deep"},"text":"5","empty":""}}""";

    @ParameterizedTest
    @CsvFileSource(resources = "conditions.txt", delimiter = '|', quoteCharacter = '`')
    void conditionHoldsAsTheContractSays(String condition, boolean expected) {
        var rule = "{'override':[%s]}".formatted(rule("mine", "'conditions':[" + condition + "]"));
        assertThat("mine".equals(ruleOf(judge(rule, MESSAGE)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"Ada L.,true", "ada l.,true", "Ada,true", "Ad,false", "*,false", "-,false"})
    void displayNameIsLookedForAsItIs(@Nullable String name, boolean expected) {
        var rules = PushRules.of(
                merged("{'override':[%s]}".formatted(rule("mine", "'conditions':[{'kind':'contains_display_name'}]"))));
        assertThat(rules.judge(event(MESSAGE), ROOM, new Reader(ADA, name)).rule() != null
                        && "mine".equals(ruleOf(rules.judge(event(MESSAGE), ROOM, new Reader(ADA, name)))))
                .isEqualTo(expected);
        assertThat(ruleOf(rules.judge(event(MESSAGE), ROOM, new Reader(ADA, ""))))
                .isEqualTo(".m.rule.message");
    }

    @Test
    void kindsAreAskedInTheirOrder() {
        var override = rule("o", "'conditions':[]");
        var content = rule("c", "'pattern':'cake'");
        var room = rule("!r:one.example", "'x':1");
        var sender = rule("@bob:one.example", "'x':1");
        var underride = rule("u", "'conditions':[]");
        var all = new String[] {
            "'override':[" + override + "]",
            "'content':[" + content + "]",
            "'room':[" + room + "]",
            "'sender':[" + sender + "]",
            "'underride':[" + underride + "]"
        };
        var first = new String[] {"o", "c", "!r:one.example", "@bob:one.example", "u", ".m.rule.message"};
        for (int i = 0; i <= all.length; i++) {
            var kinds = String.join(",", java.util.Arrays.asList(all).subList(i, all.length));
            assertThat(ruleOf(judge("{" + kinds + "}", MESSAGE))).isEqualTo(first[i]);
        }
    }

    @Test
    void whatIsOffIsNotAsked() {
        var off = rule("a", "'conditions':[]").replace("'enabled':true", "'enabled':false");
        assertThat(ruleOf(judge("{'override':[%s,%s]}".formatted(off, rule("b", "'conditions':[]")), MESSAGE)))
                .isEqualTo("b");
        var master = rule(".m.rule.master", "'x':1").replace("'notify'", "");
        assertThat(ruleOf(judge("{'override':[%s,%s]}".formatted(master, rule("b", "'conditions':[]")), MESSAGE)))
                .isEqualTo(".m.rule.master");
    }

    @Test
    void idsOfRoomsAndSendersAreCompared() {
        var rules = "{'room':[%s,%s],'sender':[%s]}"
                .formatted(
                        rule("!R:one.example", "'x':1"),
                        rule("!r2:one.example", "'x':1"),
                        rule("@bo:one.example", "'x':1"));
        assertThat(ruleOf(judge(rules, MESSAGE))).isEqualTo(".m.rule.message");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|false|false|false",
                "['notify']|true|false|false",
                "['dont_notify']|false|false|false",
                "['notify','dont_notify']|false|false|false",
                "['coalesce']|true|false|true",
                "['coalesce','dont_notify']|false|false|false",
                "['something',7,null]|false|false|false",
                "['notify',{'set_tweak':'highlight'}]|true|true|false",
                "['notify',{'set_tweak':'highlight','value':true}]|true|true|false",
                "['notify',{'set_tweak':'highlight','value':false}]|true|false|false",
                "['notify',{'set_tweak':'highlight','value':'yes'}]|true|false|false",
                "['notify',{'set_tweak':'highlight'},{'set_tweak':'highlight','value':false}]|true|false|false",
                "[{'set_tweak':'highlight'}]|false|false|false",
                "['notify',{'set_tweak':'sound','value':'x'}]|true|false|false",
            })
    void actionsSayWhatHappens(String actions, boolean notifies, boolean highlights, boolean coalesces) {
        var verdict = judge(
                "{'underride':[%s]}".formatted(rule("u", "'conditions':[]").replace("['notify']", actions)), MESSAGE);
        assertThat(ruleOf(verdict)).isEqualTo("u");
        assertThat(verdict.notifies()).isEqualTo(notifies);
        assertThat(verdict.highlights()).isEqualTo(highlights);
        assertThat(verdict.coalesces()).isEqualTo(coalesces);
        assertThat(JSON.writeValueAsString(verdict.actions())).isEqualTo(json(actions));
    }

    @Test
    void nobodyIsNotifiedOfWhatTheySent() {
        assertThat(judge("{'override':[%s]}".formatted(rule("o", "'conditions':[]")), MESSAGE.replace("@bob", "@ada")))
                .isEqualTo(Verdict.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "null",
                "{}",
                "{'type':7,'sender':[],'content':'text','room_id':5,'state_key':{}}",
                "{'type':null,'sender':null,'content':null}",
                "{'type':'m.room.message','content':{'body':{},'m.mentions':{'user_ids':'@ada:one.example','room':'true'}}}",
                "{'type':'m.room.message','content':{'body':'\\u0000\\ud800','m.mentions':{'user_ids':[{},null,[[]]]}}}",
                "{'type':'m.room.message','content':{'m.mentions':[],'m.relates_to':{'rel_type':['m.replace']}}}",
            })
    void noEventIsTooOdd(String json) {
        var event = PushedEvent.of(new RoomId("!r:one.example"), json(json));
        var rules = merged("""
            {'override':[{'rule_id':'a','enabled':true,'default':false},
                         {'rule_id':'b','enabled':true,'default':false,'actions':[],'conditions':[null,{}]}],
             'content':[{'rule_id':'c','enabled':true,'default':false,'actions':['notify']},
                        {'rule_id':'d','enabled':true,'default':false,'actions':['notify'],'pattern':'*\\u0000\\ud800*'}]}""");
        assertThat(ruleOf(PushRules.of(rules).judge(event, ROOM, READER))).isEqualTo("a");
        PushRules.of(DEFAULTS).judge(event, ROOM, READER);
        assertThat(event.terms()).contains(new Term(Term.Field.ROOM, "!r:one.example"));
    }

    private static Verdict judge(String own, String event) {
        return PushRules.of(merged(own)).judge(event(event), ROOM, READER);
    }

    private static @Nullable String ruleOf(Verdict verdict) {
        var rule = verdict.rule();
        return rule == null ? null : rule.value();
    }

    private static PushedEvent event(String json) {
        return PushedEvent.of(new RoomId("!r:one.example"), json);
    }

    private static RuleSet merged(String own) {
        return DEFAULTS.with(JSON.readValue(json(own), RuleSet.class));
    }

    private static String rule(String id, String more) {
        return "{'rule_id':'%s','default':false,'enabled':true,'actions':['notify'],%s}"
                .formatted(id, more)
                .replace(",'x':1", "");
    }

    private static String json(String quotedOtherwise) {
        return quotedOtherwise.replace('\'', '"');
    }
}
