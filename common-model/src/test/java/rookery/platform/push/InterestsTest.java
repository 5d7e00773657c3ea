// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;
import tools.jackson.databind.json.JsonMapper;

class InterestsTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final RuleSet DEFAULTS = DefaultRules.of(ADA);
    private static final List<String> WORDS = List.of(
            "cake", "Tea", "lunch time", "привет", "c*ke", "t?a", "\u212aelvin", "k", "会议", "*", "", "a-b", "ea");
    private static final List<RuleKind> KINDS = List.of(RuleKind.values());
    private static final List<String> ROOMS = List.of("!r:one.example", "!s:one.example");
    private static final List<String> USERS = List.of("@bob:one.example", "@eve:one.example");

    /** The rule's conditions, and its terms; + for a rule that must always be evaluated. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'kind':'event_match','key':'room_id','pattern':'!R:one.example'}|ROOM !r:one.example",
                "{'kind':'event_match','key':'sender','pattern':'@bob:one.example'}|SENDER @bob:one.example",
                "{'kind':'event_match','key':'sender','pattern':'@bob*'}|+",
                "{'kind':'event_match','key':'type','pattern':'m.poll'}|TYPE m.poll",
                "{'kind':'event_match','key':'content.body','pattern':'Cake'}|WORD cake",
                "{'kind':'event_match','key':'content.body','pattern':'*cake'}|+",
                "{'kind':'event_match','key':'content.msgtype','pattern':'m.text'}|+",
                "{'kind':'event_property_contains','key':'content.m\\\\.mentions.user_ids','value':'@bob:one.example'}|MENTION @bob:one.example",
                "{'kind':'event_property_contains','key':'content.other','value':'x'}|+",
                "{'kind':'contains_display_name'}|+",
                "{'kind':'room_member_count','is':'2'}|+",
                "{'kind':'room_member_count','is':'2'},{'kind':'event_match','key':'type','pattern':'m.a'}|TYPE m.a",
                "{'kind':'event_match','key':'type','pattern':'m.a'},{'kind':'event_match','key':'room_id','pattern':'!r:s'}|ROOM !r:s",
                "{'kind':'moon_phase'}|``",
                "``|+",
            })
    void ruleIsFoundByItsBestTerm(String conditions, String expected) {
        var own = "{'override':[{'rule_id':'x','default':false,'enabled':true,'actions':['notify'],'conditions':[%s]}]}"
                .formatted(conditions);
        var interests = Interests.of(DEFAULTS.with(stored(own)), ADA);
        assertThat(interests.always()).isEqualTo(expected.equals("+"));
        assertThat(interests.terms().stream().map(term -> term.field() + " " + term.value()))
                .isEqualTo(expected.isEmpty() || expected.equals("+") ? List.of() : List.of(expected));
        assertThat(interests.variant()).isEmpty();
    }

    @Test
    void whoChangedNothingIsFoundByNothing() {
        assertThat(Interests.of(DEFAULTS, ADA)).isEqualTo(new Interests("", Set.of(), false));
    }

    @Test
    void sameChangesAreTheSameVariantWhoeverMadeThem() {
        var bob = new UserId("@bob:one.example");
        var changed = "{'underride':[{'rule_id':'.m.rule.message','default':true,'enabled':true,'actions':[%s]}]}";
        var silent = stored(changed.formatted(""));
        var loud = stored(changed.formatted("'notify',{'value':'x','set_tweak':'sound'}"));
        var alsoLoud = stored(changed.formatted("'notify',{'set_tweak':'sound','value':'x'}"));
        assertThat(variant(ADA, silent)).isEqualTo(variant(bob, silent)).isNotEmpty();
        assertThat(variant(ADA, loud)).isEqualTo(variant(bob, alsoLoud)).isNotEqualTo(variant(ADA, silent));
        assertThat(variant(ADA, stored(changed.formatted("'notify'")))).isEmpty();
    }

    @Test
    void whoIsSilentIsNeverAsked() {
        var interests = Interests.of(DEFAULTS.with(stored("""
            {'override':[{'rule_id':'.m.rule.master','default':true,'enabled':true,'actions':[]},
                         {'rule_id':'x','default':false,'enabled':true,'actions':['notify'],'conditions':[]}],
             'room':[{'rule_id':'!r:one.example','default':false,'enabled':true,'actions':['notify']}]}""")), ADA);
        assertThat(interests.terms()).isEmpty();
        assertThat(interests.always()).isFalse();
        assertThat(interests.variant()).contains("master");
    }

    /** The promise of the index: a user without a matching term gets the verdict of the default rules. */
    @Test
    void whoIsNotFoundHasTheVerdictOfTheDefaultRules() {
        var random = new Random(11);
        int passedOver = 0;
        int different = 0;
        for (int i = 0; i < 10_000; i++) {
            var rules = DEFAULTS.with(randomRules(random));
            var room = new RoomId(oneOf(random, ROOMS));
            var event = PushedEvent.of(room, randomEvent(random));
            var facts = new RoomFacts(random.nextInt(4), 0, Map.of());
            var reader = new Reader(ADA, "Tea");
            var own = PushRules.of(rules).judge(event, facts, reader);
            var plain = PushRules.of(rules.withoutOwn()).judge(event, facts, reader);
            var interests = Interests.of(rules, ADA);
            var terms = event.terms();
            boolean found = interests.always()
                    || terms == null
                    || interests.terms().stream().anyMatch(terms::contains);
            if (!found) {
                passedOver++;
                assertThat(own).as("%s", rules).isEqualTo(plain);
            }
            different += own.equals(plain) ? 0 : 1;
        }
        assertThat(passedOver).isGreaterThan(1_000);
        assertThat(different).isGreaterThan(1_000);
    }

    private static RuleSet randomRules(Random random) {
        var rules = RuleSet.NONE;
        for (int i = random.nextInt(3); i >= 0; i--) {
            var kind = KINDS.get(random.nextInt(KINDS.size()));
            var id = switch (kind) {
                case ROOM -> oneOf(random, ROOMS);
                case SENDER -> oneOf(random, USERS);
                default -> "rule" + i;
            };
            var conditions = new ArrayList<Map<String, Object>>();
            for (int c = random.nextInt(3); c > 0; c--) {
                conditions.add(randomCondition(random));
            }
            var pattern = kind == RuleKind.CONTENT ? oneOf(random, WORDS) : null;
            boolean on = random.nextInt(8) > 0;
            rules = rules.with(
                    kind, List.of(new PushRule(new RuleId(id), false, on, List.of("coalesce"), conditions, pattern)));
        }
        return rules;
    }

    private static Map<String, Object> randomCondition(Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> match("content.body", oneOf(random, WORDS));
            case 1 -> match("room_id", oneOf(random, ROOMS));
            case 2 -> match("sender", oneOf(random, USERS));
            case 3 -> match("type", oneOf(random, List.of("m.room.message", "M.A", "*")));
            case 4 ->
                Map.of(
                        "kind",
                        "event_property_contains",
                        "key",
                        "content.m\\.mentions.user_ids",
                        "value",
                        oneOf(random, USERS));
            case 5 -> Map.of("kind", "contains_display_name");
            default -> Map.of("kind", "room_member_count", "is", "2");
        };
    }

    private static Map<String, Object> match(String key, String pattern) {
        return Map.of("kind", "event_match", "key", key, "pattern", pattern);
    }

    private static String randomEvent(Random random) {
        var body = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            body.append(oneOf(
                            random,
                            List.of("CAKE", "tea", "Lunch", "time", "Привет", "kk", "\u212a", "K", "x会议", "a-b")))
                    .append(oneOf(random, List.of(" ", "-", "", "s")));
        }
        var content = new LinkedHashMap<String, Object>();
        content.put("body", body.toString());
        content.put("m.mentions", Map.of("user_ids", List.of(oneOf(random, USERS))));
        return JSON.writeValueAsString(Map.of(
                "type", oneOf(random, List.of("m.room.message", "m.a")),
                "sender", oneOf(random, USERS),
                "content", content));
    }

    private static String oneOf(Random random, List<String> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static String variant(UserId user, RuleSet stored) {
        return Interests.of(DefaultRules.of(user).with(stored), user).variant();
    }

    private static RuleSet stored(String json) {
        return JSON.readValue(json.replace('\'', '"'), RuleSet.class);
    }
}
