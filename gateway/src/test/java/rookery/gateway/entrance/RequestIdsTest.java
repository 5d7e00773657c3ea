// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdsTest {
    private final RequestIds ids = new RequestIds(new SecureRandom());

    @Test
    void aSaneIdIsKept() {
        assertThat(ids.of("client-1.2_X")).isEqualTo("client-1.2_X");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "a b",
                "a\nb",
                "${jndi:x}",
                "é",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void anythingElseIsReplaced(@Nullable String sent) {
        assertThat(ids.of(sent)).matches("[0-9a-f]+-[0-9a-f]+").isNotEqualTo(ids.of(sent));
    }
}
