// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.model.id.TenantId;
import rookery.platform.ratelimit.Pace;
import rookery.push.delivery.Lanes.Place;
import rookery.testing.SetClock;

class LanesTest {
    private static final int PLACES = 40;
    private static final int OF_LANE = 8;
    /** A tenant with max_pushes_per_second; the others have no limit. */
    private static final int LIMITED = 777;

    private static final long A_SECOND = 10;
    private final SetClock clock = new SetClock();
    private final Lanes lanes = new Lanes(
            PLACES,
            OF_LANE,
            new Pace(tenant -> tenant.value() == LIMITED ? A_SECOND : null, DeliveryConfiguration.PUSH_BURST, clock));

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

    /** Otherwise nobody else gets a push through a new gateway, or through any gateway after a restart. */
    @Test
    void deadGatewaysOfOneTenantLeavePlacesForTheNewGatewaysOfOthers() {
        var dead = IntStream.range(0, 100).mapToObj(n -> lane(1, "dead" + n)).toList();
        assertThat(count(dead)).isEqualTo(PLACES / 4);
        assertThat(take(lane(2, "new"))).hasSize(1);
    }

    @Test
    void freedPlacesGoToTenantsInTurn() {
        var dead = new ArrayList<Lane>();
        IntStream.range(0, 100).forEach(n -> dead.add(lane(1, "dead" + n)));
        IntStream.range(0, 100).forEach(n -> dead.add(lane(2, "dead" + n)));
        var taken = new ArrayDeque<Place>();
        lanes.take(dead, OF_LANE).values().forEach(taken::addAll);
        assertThat(taken).hasSize(PLACES / 2);
        var others = IntStream.range(3, 6).mapToObj(n -> lane(n, "new")).toList();
        var all = new ArrayList<>(dead);
        all.addAll(others);
        var granted = new ArrayList<Lane>();
        for (int i = 0; i < 3; i++) {
            lanes.ended(taken.remove(), false);
            granted.addAll(lanes.take(all, OF_LANE).keySet());
        }
        assertThat(granted).containsExactlyElementsOf(others);
    }

    /** Due lanes come in pages. */
    @Test
    void freedPlacesGoToTheNewGatewaysOfATenantInTurn() {
        var all = IntStream.range(0, 100).mapToObj(n -> lane(1, "new" + n)).toList();
        var granted = new HashSet<Lane>();
        for (int i = 0; i < 10; i++) {
            var page = i % 2 == 0 ? all.subList(0, 50) : all.subList(50, 100);
            var taken = lanes.take(page, OF_LANE);
            granted.addAll(taken.keySet());
            taken.values().forEach(places -> places.forEach(place -> lanes.ended(place, false)));
        }
        assertThat(granted).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void gatewaysOfOneTenantMakeNobodyForgetThoseOfOthers() {
        var working = proven(1, "works");
        for (int n = 0; n < 11_000; n++) {
            lanes.ended(take(lane(2, "dead" + n)).getFirst(), false);
            proven(3, "works" + n);
        }
        assertThat(take(working)).hasSize(OF_LANE);
        assertThat(take(lane(3, "works10999"))).hasSize(OF_LANE);
        assertThat(take(lane(3, "works0"))).hasSize(1);
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

    @Test
    void tenantSendsAtItsPaceEvenlyOverTheSecond() {
        var lane = proven(LIMITED, "a");
        clock.advance(Duration.ofMinutes(1));
        int sent = 0;
        for (int i = 0; i < 10; i++) {
            var places = take(lane);
            assertThat(places).hasSizeLessThanOrEqualTo(2);
            assertThat(lanes.anyWaitsForPace(List.of(lane))).isTrue();
            places.forEach(place -> lanes.ended(place, true));
            sent += places.size();
            clock.advance(Duration.ofMillis(100));
        }
        assertThat(sent).isEqualTo(11); // those of a second, and one of the two that were saved before
        assertThat(take(proven(8, "a"))).hasSize(OF_LANE);
        assertThat(lanes.anyWaitsForPace(List.of(lane(8, "a")))).isFalse();
    }

    @Test
    void placeThatWasNotUsedDoesNotCountForThePace() {
        var lane = proven(LIMITED, "a");
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            var places = take(lane);
            assertThat(places).hasSize(2);
            places.forEach(lanes::giveBack);
        }
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
