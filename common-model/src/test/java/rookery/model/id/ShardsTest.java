// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardsTest {
    /** CRC-32C of the ids is 0x150EC290 and 0xA57273C2, as other implementations compute. */
    @Test
    void shardIsTheChecksumModulo64() {
        assertThat(Shards.of(new RoomId("!room:example.org"))).isEqualTo(0x10);
        assertThat(Shards.of(new UserId("@ada:example.org"))).isEqualTo(0x02);
    }

    @Test
    void roomsSpreadOverAllShards() {
        var counts = new int[Shards.COUNT];
        IntStream.range(0, 64_000).forEach(i -> counts[Shards.of(new RoomId("!room" + i + ":example.org"))]++);
        assertThat(counts).doesNotContain(0);
        assertThat(IntStream.of(counts).max().orElseThrow()).isLessThan(1_200);
    }
}
