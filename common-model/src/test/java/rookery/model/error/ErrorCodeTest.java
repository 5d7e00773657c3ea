// SPDX-License-Identifier: Apache-2.0
package rookery.model.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    @Test
    void codesOfNewerServicesAreUnknownAndNoFault() {
        assertThat(ErrorCode.named("M_NOT_FOUND")).isEqualTo(ErrorCode.M_NOT_FOUND);
        assertThat(ErrorCode.named("M_OF_NEXT_YEAR")).isEqualTo(ErrorCode.M_UNKNOWN);
        assertThat(ErrorCode.named("ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL"))
                .isEqualTo(ErrorCode.USER_AWAITING_APPROVAL);
    }
}
