// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static rookery.push.delivery.PushWorld.ADA;
import static rookery.push.delivery.RecordingGateway.text;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The times of attempts, with restarts and several instances (contract.md 12.7, 17 (14.)). */
class RetryIT {
    private static final Duration TO_THE_RETRY = Duration.ofMinutes(5);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private PushWorld world;

    @BeforeEach
    void start() {
        world = new PushWorld(1);
        world.setPusher(ADA, "key", "/push");
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void attemptsAreMadeAtZeroFiveAndTenMinutesAlsoAfterRestarts() {
        world.gateway.behave("/push", text(502, ""));
        world.add(world.message("a"), ADA);
        attempted(1, "pending");
        almost(TO_THE_RETRY);
        restart();
        canary("b");
        assertThat(world.units("a")).containsExactly("pending 1");
        world.clock.advance(MOMENT);
        attempted(2, "pending");
        restart();
        almost(TO_THE_RETRY);
        canary("c");
        assertThat(world.units("a")).containsExactly("pending 2");
        world.gateway.behave("/push", text(200, "{\"rejected\":[]}"));
        world.clock.advance(MOMENT);
        attempted(3, "delivered");
        world.clock.advance(Duration.ofHours(1));
        canary("d");
        assertThat(sent("a")).isEqualTo(3);
    }

    @Test
    void thirdFailureIsTheLast() {
        world.gateway.behave("/push", text(500, "{\"rejected\":[]}"));
        world.add(world.message("a"), ADA);
        attempted(1, "pending");
        world.clock.advance(TO_THE_RETRY);
        attempted(2, "pending");
        world.clock.advance(TO_THE_RETRY);
        attempted(3, "failed");
        assertThat(world.query("SELECT last_status FROM push.unit")).containsExactly("500");
        assertThat(world.query("SELECT failing_since < last_failure_at AND last_success_at IS NULL FROM push.pusher"))
                .containsExactly("t");
        world.clock.advance(Duration.ofHours(1));
        canary("b");
        assertThat(sent("a")).isEqualTo(3);
        assertThat(world.query("SELECT failing_since IS NULL FROM push.pusher WHERE pushkey = 'canary'"))
                .containsExactly("t");
    }

    @Test
    void retryThatComesLateIsFollowedByTheNextAFullIntervalLater() {
        world.gateway.behave("/push", text(500, ""));
        world.add(world.message("a"), ADA);
        attempted(1, "pending");
        world.clock.advance(Duration.ofMinutes(30));
        attempted(2, "pending");
        almost(TO_THE_RETRY);
        canary("b");
        assertThat(world.units("a")).containsExactly("pending 2");
        world.clock.advance(MOMENT);
        attempted(3, "failed");
    }

    @Test
    void twoInstancesNeverSendAUnitTwice() {
        world.start();
        int many = 500;
        var slowly = Mono.delay(Duration.ofMillis(5));
        world.gateway.behave(
                "/push",
                (response, _) ->
                        slowly.then(response.sendString(Mono.just("{}")).then()));
        var units = IntStream.range(0, many)
                .mapToObj(n -> new NewUnit(world.message("m" + n), ADA.user(), PushWorld.verdict("notify")))
                .toList();
        world.add(units);
        world.gateway.await("/push", many);
        canary("b");
        assertThat(world.gateway.requests("/push"))
                .extracting(RecordingGateway.Request::eventId)
                .filteredOn(event -> event.startsWith("$m"))
                .hasSize(many)
                .doesNotHaveDuplicates();
    }

    /** The process dies between the answer and recording the outcome: the unit is unchanged since the claim. */
    @Test
    void crashBeforeTheNoteLeadsToOneMorePushAndNeverToAFourth() {
        world.add(world.message("a"), ADA);
        attempted(1, "delivered");
        forgetTheNote();
        canary("b");
        assertThat(sent("a")).isOne();
        world.clock.advance(TO_THE_RETRY);
        attempted(2, "delivered");
        forgetTheNote();
        world.clock.advance(TO_THE_RETRY);
        attempted(3, "delivered");
        forgetTheNote();
        world.clock.advance(TO_THE_RETRY);
        canary("c");
        world.nodes.getFirst().bean(DeliveryCleaner.class).clean().block();
        assertThat(world.units("a")).containsExactly("failed 3");
        assertThat(sent("a")).isEqualTo(3);
    }

    @Test
    void attemptThatHasBegunEndsBeforeTheServiceStops() {
        world.gateway.behave(
                "/push",
                (response, _) -> Mono.delay(Duration.ofSeconds(1))
                        .then(response.sendString(Mono.just("{}")).then()));
        world.add(world.message("a"), ADA);
        world.gateway.await("/push", 1);
        world.stopAll();
        assertThat(world.units("a")).containsExactly("delivered 1");
    }

    @Test
    void clockThatGoesBackDoesNotHoldPushesUpForLong() {
        world.gateway.behave("/push", text(500, ""));
        world.add(world.message("a"), ADA);
        attempted(1, "pending");
        world.clock.advance(Duration.ofHours(-1));
        world.nodes.getFirst().bean(DeliveryCleaner.class).clean().block();
        world.clock.advance(TO_THE_RETRY.multipliedBy(2));
        attempted(2, "pending");
    }

    /** The gateway has received this many requests for the event, and the last one is recorded or in flight. */
    private void attempted(int times, String outcome) {
        await().atMost(Duration.ofSeconds(20)).until(() -> sent("a") == times);
        world.awaitUnits("a", outcome + " " + times);
    }

    private void forgetTheNote() {
        world.database.execute("UPDATE push.unit SET outcome = 'pending', last_status = NULL WHERE event_id = '$a'");
    }

    private void almost(Duration duration) {
        world.clock.advance(duration.minus(MOMENT));
    }

    private void restart() {
        world.stopAll();
        world.start();
    }

    /** Adds an event that is due now. Once it has arrived, every unit that was due before has been attempted, too. */
    private void canary(String event) {
        world.setPusher(ADA, "canary", "/canary" + event);
        world.add(world.message(event), ADA);
        world.gateway.await("/canary" + event, 1);
    }

    private long sent(String event) {
        return world.gateway.requests("/push").stream()
                .filter(request -> request.eventId().equals("$" + event))
                .count();
    }
}
