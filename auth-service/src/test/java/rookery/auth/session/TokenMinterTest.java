// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class TokenMinterTest {
    private final TokenMinter minter = new TokenMinter(new SecureRandom());

    @Test
    void tokensAreOfOneShapeAndNeverTheSame() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 1000; i++) {
            String token = minter.accessToken();
            assertThat(token).matches("rky_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}");
            assertThat(seen.add(token)).isTrue();
        }
        assertThat(minter.refreshToken()).startsWith("rkr_");
        assertThat(minter.device().value()).matches("[A-Z]{10}");
    }

    @Test
    void hashIsSha256InHex() {
        assertThat(TokenHash.of("abc").hex())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(TokenHash.ofBytes(TokenHash.of("abc").bytes())).isEqualTo(TokenHash.of("abc"));
    }
}
