// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LifeRoomsTest {
    @Test
    void roomsHaveTheSizesThatTheHelpSays() {
        var sizes = new LifeRooms(1_000, 300, 100)
                .all().stream().map(List::size).sorted().toList();
        assertThat(sizes).hasSize(115).endsWith(30, 100, 100, 100, 100, 1_000);
        assertThat(sizes.subList(0, 30)).containsOnly(2);
        assertThat(sizes.subList(90, 110)).containsOnly(10, 30);
    }

    @Test
    void roomsAreTheSameEachTime() {
        assertThat(new LifeRooms(1_000, 300, 100).all()).isEqualTo(new LifeRooms(1_000, 300, 100).all());
    }

    @Test
    void eachRoomHasDistinctMembersAndAConnectedOne() {
        assertThat(new LifeRooms(200, 1, 100).all())
                .allSatisfy(members -> assertThat(members)
                        .doesNotHaveDuplicates()
                        .allMatch(account -> account < 200)
                        .anyMatch(account -> account == 0));
    }

    @Test
    void messagesGoToRoomsInTheirShares() {
        var rooms = new LifeRooms(1_000, 300, 100);
        var random = new Random(1);
        var next = IntStream.range(0, 100_000).map(_ -> rooms.next(random)).toArray();
        assertThat(share(next, 0, 100)).isBetween(0.79, 0.81);
        assertThat(share(next, 100, 110)).isBetween(0.14, 0.16);
        assertThat(share(next, 110, 114)).isBetween(0.04, 0.05);
        assertThat(share(next, 114, 115)).isBetween(0.003, 0.005);
    }

    @Test
    void numbersThatMakeNoRoomsAreRefused() {
        assertThatThrownBy(() -> new LifeRooms(10, 11, 1)).hasMessageContaining("connected");
    }

    private static double share(int[] rooms, int from, int to) {
        return IntStream.of(rooms).filter(room -> room >= from && room < to).count() / (double) rooms.length;
    }
}
