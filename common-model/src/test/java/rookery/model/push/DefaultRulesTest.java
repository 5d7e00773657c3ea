// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** The list of contract.md 12.3, to the letter. */
class DefaultRulesTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String RULES = """
            {"override":[
              {"rule_id":".m.rule.master","default":true,"enabled":false,"actions":[],"conditions":[]},
              {"rule_id":".m.rule.suppress_notices","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_match","key":"content.msgtype","pattern":"m.notice"}]},
              {"rule_id":".m.rule.invite_for_me","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.member"},
                {"kind":"event_match","key":"content.membership","pattern":"invite"},
                {"kind":"event_match","key":"state_key","pattern":"@ada:one.example"}]},
              {"rule_id":".m.rule.member_event","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.member"}]},
              {"rule_id":".m.rule.is_user_mention","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"},{"set_tweak":"highlight"}],"conditions":[
                {"kind":"event_property_contains","key":"content.m\\\\.mentions.user_ids","value":"@ada:one.example"}]},
              {"rule_id":".m.rule.is_room_mention","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"highlight"}],"conditions":[
                {"kind":"event_property_is","key":"content.m\\\\.mentions.room","value":true},
                {"kind":"sender_notification_permission","key":"room"}]},
              {"rule_id":".m.rule.tombstone","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"highlight"}],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.tombstone"},
                {"kind":"event_match","key":"state_key","pattern":""}]},
              {"rule_id":".m.rule.reaction","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.reaction"}]},
              {"rule_id":".m.rule.room.server_acl","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.server_acl"},
                {"kind":"event_match","key":"state_key","pattern":""}]},
              {"rule_id":".org.matrix.msc3930.rule.poll_response","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_match","key":"type","pattern":"org.matrix.msc3381.poll.response"}]},
              {"rule_id":".m.rule.suppress_edits","default":true,"enabled":true,"actions":[],"conditions":[
                {"kind":"event_property_is","key":"content.m\\\\.relates_to.rel_type","value":"m.replace"}]}],
             "content":[],"room":[],"sender":[],
             "underride":[
              {"rule_id":".m.rule.call","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"ring"}],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.call.invite"}]},
              {"rule_id":".m.rule.encrypted_room_one_to_one","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[
                {"kind":"room_member_count","is":"2"},
                {"kind":"event_match","key":"type","pattern":"m.room.encrypted"}]},
              {"rule_id":".m.rule.room_one_to_one","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[
                {"kind":"room_member_count","is":"2"},
                {"kind":"event_match","key":"type","pattern":"m.room.message"}]},
              {"rule_id":".m.rule.message","default":true,"enabled":true,"actions":["notify"],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.message"}]},
              {"rule_id":".m.rule.encrypted","default":true,"enabled":true,"actions":["notify"],"conditions":[
                {"kind":"event_match","key":"type","pattern":"m.room.encrypted"}]},
              {"rule_id":".org.matrix.msc3930.rule.poll_start_one_to_one","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[
                {"kind":"room_member_count","is":"2"},
                {"kind":"event_match","key":"type","pattern":"org.matrix.msc3381.poll.start"}]},
              {"rule_id":".org.matrix.msc3930.rule.poll_start","default":true,"enabled":true,"actions":["notify"],
                "conditions":[{"kind":"event_match","key":"type","pattern":"org.matrix.msc3381.poll.start"}]},
              {"rule_id":".org.matrix.msc3930.rule.poll_end_one_to_one","default":true,"enabled":true,
                "actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[
                {"kind":"room_member_count","is":"2"},
                {"kind":"event_match","key":"type","pattern":"org.matrix.msc3381.poll.end"}]},
              {"rule_id":".org.matrix.msc3930.rule.poll_end","default":true,"enabled":true,"actions":["notify"],
                "conditions":[{"kind":"event_match","key":"type","pattern":"org.matrix.msc3381.poll.end"}]}]}
            """;

    @Test
    void areTheListOfTheSpecification() {
        var served = JSON.valueToTree(DefaultRules.of(new UserId("@ada:one.example")));
        assertThat(served).isEqualTo(JSON.readTree(RULES));
    }
}
