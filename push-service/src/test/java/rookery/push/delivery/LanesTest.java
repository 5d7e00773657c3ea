// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.model.id.TenantId;
import rookery.push.delivery.Lanes.Place;

class LanesTest {
    private static final int PLACES = 40;
    private static final int OF_LANE = 8;
    private final Lanes lanes = new Lanes(PLACES, OF_LANE);

    @Test
    void newLaneHasOneRequestUntilItSucceeds() {
        var lane = lane(1, "a");
        assertThat(take(lane)).hasSize(1);
        assertThat(take(lane)).isEmpty();
    }

    @Test
    void laneThatWorksHasItsPlacesAndThatManyOnly() {
        var lane = proven(1, "a");
        assertThat(take(lane)).hasSize(OF_LANE);
        assertThat(take(lane)).isEmpty();
    }

    @Test
    void threeFailuresCloseALaneAndOneSuccessOpensIt() {
        var lane = proven(1, "a");
        for (int i = 0; i < 3; i++) {
            var taken = take(lane);
            assertThat(taken).hasSize(OF_LANE);
            taken.subList(1, OF_LANE).forEach(lanes::giveBack);
            lanes.ended(taken.getFirst(), false);
        }
        var last = take(lane);
        assertThat(last).hasSize(1);
        lanes.ended(last.getFirst(), true);
        assertThat(take(lane)).hasSize(OF_LANE);
    }

    @Test
    void deadGatewaysTakeHalfOfThePlacesHoweverManyThereAre() {
        var working = proven(999, "works");
        var dead = IntStream.range(0, 1000).mapToObj(n -> lane(n, "dead" + n)).toList();
        assertThat(lanes.take(dead, OF_LANE)).hasSize(PLACES / 2);
        assertThat(take(working)).hasSize(OF_LANE);
    }

    @Test
    void oneTenantTakesHalfOfThePlacesHoweverManyGatewaysItHas() {
        var ofOne = IntStream.range(0, 100).mapToObj(n -> proven(1, "a" + n)).toList();
        var other = proven(2, "a0");
        assertThat(count(ofOne)).isEqualTo(PLACES / 2);
        assertThat(take(other)).hasSize(OF_LANE);
    }

    @Test
    void scarcePlacesAreSharedEvenly() {
        var five = IntStream.range(1, 11).mapToObj(n -> proven(n, "a")).toList();
        assertThat(lanes.take(five, OF_LANE).values()).hasSize(10).allMatch(places -> places.size() == PLACES / 10);
    }

    @Test
    void allPlacesComeBack() {
        var all = new ArrayList<Lane>();
        IntStream.range(0, 30).forEach(n -> all.add(proven(n, "works")));
        IntStream.range(0, 30).forEach(n -> all.add(lane(n, "dead")));
        for (int i = 0; i < 10; i++) {
            boolean even = i % 2 == 0;
            lanes.take(all, OF_LANE)
                    .forEach((lane, places) -> places.forEach(
                            place -> lanes.ended(place, even && lane.gateway().equals("works"))));
        }
        var fresh = IntStream.range(100, 140).mapToObj(n -> proven(n, "fresh")).toList();
        assertThat(count(fresh)).isEqualTo(PLACES);
    }

    private int count(List<Lane> candidates) {
        return lanes.take(candidates, OF_LANE).values().stream()
                .mapToInt(List::size)
                .sum();
    }

    private List<Place> take(Lane lane) {
        return lanes.take(List.of(lane), OF_LANE).getOrDefault(lane, List.of());
    }

    private Lane proven(int tenant, String gateway) {
        var lane = lane(tenant, gateway);
        lanes.ended(take(lane).getFirst(), true);
        return lane;
    }

    private static Lane lane(int tenant, String gateway) {
        return new Lane(new TenantId(tenant), gateway);
    }
}
