// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;

/** Each of the default rules (contract.md 12.3) with an event that matches and with events that nearly match. */
class DefaultRulesVerdictTest {
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final String MASTER = ".m.rule.master";
    private static final Set<String> MATCHED = new HashSet<>();

    /** Type, state key (- for none), content; members, sender's level; the rule, and n(otifies), h(ighlights), s(ounds). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "m.room.message|-|{'msgtype':'m.notice','body':'x'}|7|0|suppress_notices|``",
                "m.room.message|-|{'msgtype':'m.notices','body':'x'}|7|0|message|n",
                "m.room.message|-|{'msgtype':'m.notice','m.mentions':{'user_ids':['@ada:one.example']}}|7|0|suppress_notices|``",
                "m.room.member|@ada:one.example|{'membership':'invite'}|1|0|invite_for_me|ns",
                "m.room.member|@eve:one.example|{'membership':'invite'}|1|0|member_event|``",
                "m.room.member|@ada:one.example|{'membership':'join'}|2|0|member_event|``",
                "m.room.member|-|{'membership':'invite'}|2|0|member_event|``",
                "m.room.membership|@ada:one.example|{'membership':'invite'}|2|0|-|``",
                "m.room.message|-|{'body':'x','m.mentions':{'user_ids':['@eve:one.example','@ada:one.example']}}|7|0|is_user_mention|nhs",
                "m.room.message|-|{'body':'x','m.mentions':{'user_ids':['@eve:one.example']}}|7|0|message|n",
                "m.room.message|-|{'body':'x','m.mentions':{'user_ids':'@ada:one.example'}}|7|0|message|n",
                "m.room.message|-|{'body':'@ada:one.example'}|7|0|message|n",
                "org.example.any|-|{'m.mentions':{'user_ids':['@ada:one.example']}}|7|0|is_user_mention|nhs",
                "m.room.message|-|{'body':'x','m.mentions':{'room':true}}|7|50|is_room_mention|nh",
                "m.room.message|-|{'body':'x','m.mentions':{'room':true}}|7|49|message|n",
                "m.room.message|-|{'body':'x','m.mentions':{'room':'true'}}|7|100|message|n",
                "m.room.message|-|{'body':'@room'}|7|100|message|n",
                "m.room.tombstone|``|{'body':'gone'}|7|100|tombstone|nh",
                "m.room.tombstone|x|{'body':'gone'}|7|100|-|``",
                "m.room.tombstone|-|{'body':'gone'}|7|100|-|``",
                "m.reaction|-|{'m.relates_to':{'rel_type':'m.annotation'}}|7|0|reaction|``",
                "m.reaction.x|-|{'m.relates_to':{'rel_type':'m.annotation'}}|7|0|-|``",
                "m.room.server_acl|``|{}|7|100|room.server_acl|``",
                "m.room.server_acl|x|{}|7|100|-|``",
                "m.room.message|-|{'body':'x','m.relates_to':{'rel_type':'m.replace'}}|7|0|suppress_edits|``",
                "m.room.encrypted|-|{'m.relates_to':{'rel_type':'m.replace'}}|2|0|suppress_edits|``",
                "m.room.message|-|{'body':'x','m.relates_to':{'rel_type':'m.thread'}}|7|0|message|n",
                "m.call.invite|-|{}|7|0|call|ns",
                "m.call.answer|-|{}|7|0|-|``",
                "m.room.encrypted|-|{}|2|0|encrypted_room_one_to_one|ns",
                "m.room.encrypted|-|{}|3|0|encrypted|n",
                "m.room.encrypted|-|{}|1|0|encrypted|n",
                "m.room.message|-|{'body':'x'}|2|0|room_one_to_one|ns",
                "m.room.message|-|{'body':'x'}|3|0|message|n",
                "M.ROOM.MESSAGE|-|{}|3|0|message|n",
                "m.room.topic|``|{'topic':'x'}|3|0|-|``",
                "m.sticker|-|{}|3|0|-|``",
                "org.matrix.msc3381.poll.start|-|{}|2|0|poll_start_one_to_one|ns",
                "org.matrix.msc3381.poll.start|-|{}|3|0|poll_start|n",
                "org.matrix.msc3381.poll.end|-|{}|2|0|poll_end_one_to_one|ns",
                "org.matrix.msc3381.poll.end|-|{}|3|0|poll_end|n",
                "org.matrix.msc3381.poll.response|-|{}|2|0|poll_response|``",
                "org.matrix.msc3381.poll.start.x|-|{}|2|0|-|``",
            })
    void eventIsJudgedBy(
            String type, String stateKey, String content, int members, int level, String rule, String how) {
        var event = """
                {'type':'%s','sender':'@bob:one.example',%s'content':%s}""".formatted(type, stateKey.equals("-") ? "" : "'state_key':'" + stateKey + "',", content);
        var verdict = PushRules.of(DefaultRules.of(ADA)).judge(pushed(event), facts(members, level), reader());
        assertThat(verdict.rule()).isEqualTo(rule.equals("-") ? null : id(rule));
        assertThat(verdict.notifies()).isEqualTo(how.contains("n"));
        assertThat(verdict.highlights()).isEqualTo(how.contains("h"));
        assertThat(verdict.actions().toString().contains("sound")).isEqualTo(how.contains("s"));
        MATCHED.add(id(rule).value());
    }

    private static RuleId id(String rule) {
        return new RuleId((rule.startsWith("poll_") ? ".org.matrix.msc3930.rule." : ".m.rule.") + rule);
    }

    @Test
    void masterIsOffAndSilencesEverythingOnceItIsOn() {
        var rules = DefaultRules.of(ADA);
        var mention = pushed(
                "{'type':'m.room.message','sender':'@bob:one.example','content':{'m.mentions':{'user_ids':['@ada:one.example']}}}");
        assertThat(PushRules.of(rules).judge(mention, facts(2, 0), reader()).notifies())
                .isTrue();
        var master = rules.find(RuleKind.OVERRIDE, new RuleId(MASTER)).orElseThrow();
        var silent = rules.with(RuleKind.OVERRIDE, java.util.List.of(master.enabled(true)));
        var verdict = PushRules.of(silent).judge(mention, facts(2, 0), reader());
        assertThat(verdict.notifies()).isFalse();
        assertThat(verdict.rule()).isEqualTo(new RuleId(MASTER));
        MATCHED.add(MASTER);
    }

    @AfterAll
    static void everyRuleHasMatched() {
        var rules = DefaultRules.of(ADA);
        for (var kind : RuleKind.values()) {
            for (var rule : rules.of(kind)) {
                assertThat(MATCHED).contains(rule.ruleId().value());
            }
        }
    }

    private static Reader reader() {
        return new Reader(ADA, "Ada");
    }

    private static RoomFacts facts(int members, int level) {
        return new RoomFacts(members, level, Map.of());
    }

    private static PushedEvent pushed(String json) {
        return PushedEvent.of(new RoomId("!r:one.example"), json.replace('\'', '"'));
    }
}
