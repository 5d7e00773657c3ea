// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisEvictionsTest {
    @Test
    void findsTheNumberInTheSectionAndKeepsWhatItKnewWithoutOne() {
        assertThat(RedisEvictions.evicted("# Stats\r\nexpired_keys:3\r\nevicted_keys:17\r\nkeyspace_hits:1\r\n", 4))
                .isEqualTo(17);
        assertThat(RedisEvictions.evicted("# Stats\r\n", 4)).isEqualTo(4);
    }
}
