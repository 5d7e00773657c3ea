// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.admin.synapse.UserChange.Deactivate;
import rookery.admin.synapse.UserChange.SetAdmin;
import rookery.admin.synapse.UserChange.SetLocked;
import rookery.admin.synapse.UserChange.SetPassword;
import rookery.admin.synapse.UserChange.SetProfile;
import rookery.model.error.ApiException;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class UserChangeTest {
    private static ObjectNode json(String text) {
        return JsonMapper.shared().readValue(text, ObjectNode.class);
    }

    private static UserChange change(String body) {
        return UserChange.of(new JsonBody(json(body)));
    }

    private static ObjectNode account(boolean deactivated) {
        return json("""
                {"user_id": "@ada:a.test", "display_name": "Ada", "avatar_url": null, "admin": false, "deactivated": %s,
                 "blocked": false, "suspended": false, "created_at": 1, "last_seen_ts": null, "device_count": 0}
                """.formatted(deactivated));
    }

    @Test
    void aWholeAccountThatIsSentBackChangesNothing() {
        var shown = SynapseUser.of(account(false));
        shown.putArray("threepids");
        shown.putArray("external_ids");
        assertThat(change(shown.toString()).steps(account(false))).isEmpty();
    }

    @Test
    void onlyDifferingFieldsAreChangedAndDeactivationIsTheLast() {
        var change = change("""
                {"deactivated": true, "locked": true, "admin": true, "password": "secret", "displayname": "Lady Ada", "avatar_url": ""}
                """);
        assertThat(change.steps(account(false)))
                .satisfiesExactly(
                        step -> assertThat(step).isEqualTo(new SetProfile("displayname", "Lady Ada")),
                        step -> assertThat(step).isInstanceOf(SetPassword.class),
                        step -> assertThat(step).isEqualTo(new SetAdmin(true)),
                        step -> assertThat(step).isEqualTo(new SetLocked(true)),
                        step -> assertThat(step).isEqualTo(new Deactivate()));
        assertThat(change.toString()).doesNotContain("secret");
    }

    @Test
    void aDeactivatedAccountStaysSo() {
        assertThat(change("{\"deactivated\": true}").steps(account(true))).isEmpty();
        assertThatThrownBy(() -> change("{\"deactivated\": false}").steps(account(true)))
                .isInstanceOf(ApiException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"threepids\": [{\"medium\": \"email\", \"address\": \"a@a.test\"}]}",
                "{\"external_ids\": [{\"auth_provider\": \"a\", \"external_id\": \"b\"}]}",
                "{\"user_type\": \"bot\"}",
                "{\"admin\": \"yes\"}",
                "{\"password\": 7}",
            })
    void whatCannotBeSetIsRefused(String body) {
        assertThatThrownBy(() -> change(body)).isInstanceOf(ApiException.class);
    }
}
