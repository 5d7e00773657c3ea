// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;

/** Limits of pages of the room directory (contract.md 2.8). */
class PublicRoomsApiTest {
    @ParameterizedTest
    @ValueSource(strings = {"500", "501", "3000000000", "9223372036854775808", "99999999999999999999999"})
    void limitsAboveTheMaximumAreReduced(String limit) {
        assertThat(PublicRoomsApi.limit(limit)).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "-9223372036854775809", "-99999999999999999999999", "1.5", "x", "", " 1"})
    void otherLimitsAreRefused(String limit) {
        assertThatThrownBy(() -> PublicRoomsApi.limit(limit))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("limit is");
    }

    @Test
    void limitsBelowTheMaximumAreTaken() {
        assertThat(PublicRoomsApi.limit("007")).isEqualTo(7);
        assertThat(PublicRoomsApi.limit(null)).isEqualTo(50);
    }
}
