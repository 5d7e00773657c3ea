// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

class AuditKeyTest {
    private static final String ID = "00000000-0000-0000-0000-000000000000";

    @Test
    void aTokenIsReadAsWritten() {
        var key = new AuditKey(1_764_460_800_000_000L, UUID.randomUUID());
        assertThat(AuditKey.of(key.text())).isEqualTo(key);
        assertThat(AuditKey.of(AuditKey.of("").text())).isEqualTo(AuditKey.of(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "1", "_" + ID, "1_x", "-1_" + ID, "-999999999999999999_" + ID, "9223372036854775807_" + ID})
    void anotherTextIsRefused(String text) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> AuditKey.of(text))
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }
}
