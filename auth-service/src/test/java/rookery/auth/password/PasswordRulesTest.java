// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

class PasswordRulesTest {
    private static final UserId ANN = new UserId("@annabell:alpha.example");

    @Test
    void lengthIsCountedInBytes() {
        assertStrong("1k3m5q7z", null);
        assertStrong("ääää", null);
        assertWeak("1234567", null);
        assertStrong("x".repeat(512), null);
        assertWeak("x".repeat(513), null);
        assertWeak("ä".repeat(257), null);
    }

    @Test
    void nameIsNoPassword() {
        assertWeak("annabell", ANN);
        assertWeak("AnnaBell", ANN);
        assertWeak("@annabell:ALPHA.example", ANN);
        assertStrong("annabell", null);
        assertStrong("annabell1", ANN);
    }

    @Test
    void whatIsGuessedFirstIsNoPassword() {
        assertWeak("12345678", null);
        assertWeak("PassWord1", null);
        assertWeak("Liverpool", null);
        assertStrong("liverpool of my heart", null);
    }

    @Test
    void passwordIsNeverPrinted() {
        assertThat(new Password("correct horse").toString()).doesNotContain("horse");
    }

    private static void assertStrong(String password, @Nullable UserId user) {
        assertThatCode(() -> PasswordRules.requireStrong(new Password(password), user))
                .doesNotThrowAnyException();
    }

    private static void assertWeak(String password, @Nullable UserId user) {
        assertThatThrownBy(() -> PasswordRules.requireStrong(new Password(password), user))
                .isInstanceOfSatisfying(
                        ApiException.class, refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_WEAK_PASSWORD));
    }
}
