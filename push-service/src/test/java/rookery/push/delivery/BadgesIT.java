// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.push.delivery.PushWorld.ADA;
import static rookery.push.delivery.PushWorld.BOB;
import static rookery.push.delivery.RecordingGateway.text;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.push.PushNode.UserDevice;
import tools.jackson.databind.json.JsonMapper;

/** The badge count of app icons (contract.md 12.7). */
class BadgesIT {
    private static final Duration DELAY = Duration.ofSeconds(1);

    @RegisterExtension
    static final PushWorld world = new PushWorld(1);

    private final Badges badges = world.nodes.getFirst().bean(Badges.class);

    @Test
    void pushSaysTheNumberAsItIsWhenItIsSent() {
        world.setPusher(ADA, "key", "/push");
        world.badge.set(3);
        world.gateway.behave("/push", text(500, ""));
        world.add(world.message("a"), ADA);
        world.gateway.await("/push", 1); // the number of attempts rises with the claim, before the request is sent
        world.badge.set(7);
        world.clock.advance(Duration.ofMinutes(5));
        var sent = world.gateway.await("/push", 2);
        assertThat(sent.getFirst().notification().path("counts").toString()).isEqualTo("{\"unread\":3}");
        assertThat(sent.get(1).notification().path("counts").toString()).isEqualTo("{\"unread\":7}");
    }

    @Test
    void lastOfSeveralChangesIsToldToAllPushersOfTheUserOnce() {
        world.setPusher(ADA, "key", "/push", "\"data\":{\"x\":1}");
        world.setPusher(ADA, "other", "/other");
        world.setPusher(BOB, "bob", "/bob");
        world.setPusher(new UserDevice(2, "ada", "DEVICE"), "key", "/elsewhere");
        for (int unread = 9; unread >= 0; unread--) {
            badges.changed(ADA.tenantId(), ADA.user(), unread);
        }
        badges.changed(BOB.tenantId(), BOB.user(), 5);
        world.clock.advance(DELAY.minusMillis(1));
        assertThat(world.gateway.requests()).isEmpty();
        world.clock.advance(Duration.ofMillis(1));
        var sent = world.gateway.await("/push", 1).getFirst().notification();
        assertThat(sent).isEqualTo(JsonMapper.shared().readTree("""
                {"counts":{"unread":0},"prio":"low",
                 "devices":[{"app_id":"app","pushkey":"key","pushkey_ts":%d,"data":{"x":1}}]}
                """.formatted(
                        world.clock.instant().minus(DELAY).getEpochSecond())));
        world.gateway.await("/other", 1);
        assertThat(world.gateway
                        .await("/bob", 1)
                        .getFirst()
                        .notification()
                        .path("counts")
                        .toString())
                .isEqualTo("{\"unread\":5}");
        assertThat(world.gateway.requests()).hasSize(3);
    }

    @Test
    void failureIsNotTriedAgainAndRejectionIsHeard() {
        world.setPusher(ADA, "key", "/push");
        world.setPusher(BOB, "bob", "/bob");
        world.gateway.behave("/push", text(500, ""));
        world.gateway.behave("/bob", text(200, "{\"rejected\":[\"bob\"]}"));
        badges.changed(ADA.tenantId(), ADA.user(), 1);
        world.clock.advance(DELAY);
        world.gateway.await("/push", 1);
        badges.changed(BOB.tenantId(), BOB.user(), 1);
        world.clock.advance(DELAY);
        world.gateway.await("/bob", 1);
        world.awaitPushers("key");
        world.clock.advance(Duration.ofMinutes(5));
        badges.changed(ADA.tenantId(), ADA.user(), 2);
        world.clock.advance(DELAY);
        assertThat(world.gateway.await("/push", 2)).hasSize(2);
        assertThat(world.query("SELECT 1 FROM push.unit")).isEmpty();
    }

    @Test
    void pausedUserIsNotTold() {
        world.setPusher(ADA, "key", "/push");
        world.setPusher(BOB, "bob", "/bob");
        var pauses = world.nodes.getFirst().bean(Pauses.class);
        pauses.set(ADA.tenantId(), ADA.user(), true).block();
        badges.changed(ADA.tenantId(), ADA.user(), 1);
        badges.changed(BOB.tenantId(), BOB.user(), 1);
        world.clock.advance(DELAY);
        world.gateway.await("/bob", 1);
        assertThat(world.gateway.requests("/push")).isEmpty();
    }
}
