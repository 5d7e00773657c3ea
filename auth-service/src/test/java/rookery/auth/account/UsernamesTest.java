// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;

class UsernamesTest {
    private static final ServerName SERVER = new ServerName("alpha.example");

    @Test
    void upperCaseIsFoldedAndNothingElse() {
        assertThat(Usernames.checked("Ann.B-9_=/+", SERVER)).isEqualTo(new UserId("@ann.b-9_=/+:alpha.example"));
        assertThat(Usernames.folded("ÄİK")).as("no letter but A-Z").isEqualTo("Äİk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "späth", "аnn", "ann\u200d", "ａnn", "@ann", "ann:x", "a\u0000", "a\nb", "\ud800"
            })
    void whatIsNoNameIsRefused(String name) {
        assertRefused(name);
    }

    @Test
    void wholeIdHasAtMost255Bytes() {
        int rest = 255 - "@:alpha.example".length();

        assertThat(Usernames.checked("a".repeat(rest), SERVER).value()).hasSize(255);
        assertRefused("a".repeat(rest + 1));
    }

    private static void assertRefused(String name) {
        assertThatThrownBy(() -> Usernames.checked(name, SERVER))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_USERNAME));
    }
}
