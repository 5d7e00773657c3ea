// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static rookery.push.delivery.PushWorld.ADA;
import static rookery.push.delivery.PushWorld.BOB;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.push.PushNode.UserDevice;

/** Hanging gateways must not delay other gateways (contract.md 12.7). A request here may take longer than the test. */
class FairnessIT {
    private static final UserDevice EVE = new UserDevice(2, "eve", "DEVICE");
    private static final int MANY = 300;

    private PushWorld world;
    private RecordingGateway dead;

    @BeforeEach
    void start() {
        world = new PushWorld(
                1,
                "--rookery.push.gateway-timeout=60s",
                "--spring.lifecycle.timeout-per-shutdown-phase=1ms",
                "--rookery.tenants[1].settings.max-pushes-per-second=5");
        dead = new RecordingGateway();
        world.setPusherAt(ADA, "dead", dead.url("/push"));
        world.setPusher(BOB, "bob", "/push");
    }

    @AfterEach
    void stop() {
        dead.close();
        world.close();
    }

    @Test
    void gatewayThatHangsDelaysNobodyElse() {
        dead.behave("/push", RecordingGateway.HANG);
        world.add(backlog());
        dead.await("/push", 1);
        world.add(world.message("a"), BOB);
        world.awaitUnits("a", "delivered 1");
        assertThat(dead.requests("/push")).hasSize(1);
    }

    @Test
    void gatewayThatBeginsToHangDelaysNobodyElse() {
        world.add(world.message("first"), ADA);
        world.awaitUnits("first", "delivered 1");
        dead.behave("/push", RecordingGateway.HANG);
        world.add(spread());
        await().atMost(Duration.ofSeconds(20)).until(() -> dead.open() == 32);
        world.add(world.message("a"), BOB);
        world.awaitUnits("a", "delivered 1");
        assertThat(dead.open()).isEqualTo(32);
    }

    /** The gateway works for one tenant's path and hangs for the other's: the lanes of the two tenants are independent. */
    @Test
    void tenantWhoseGatewayHangsDelaysNoOtherTenantThere() {
        dead.behave("/push", RecordingGateway.HANG);
        world.add(backlog());
        dead.await("/push", 1);
        world.setPusherAt(EVE, "eve", dead.url("/eve"));
        world.add(ofOtherTenant("eve"), EVE);
        world.awaitUnits("eve", "delivered 1");
    }

    @Test
    void gatewayThatComesBackGetsWhatWaited() {
        dead.behave("/push", RecordingGateway.text(503, ""));
        world.add(backlog());
        dead.await("/push", 5);
        dead.behave("/push", RecordingGateway.text(200, "{}"));
        assertThat(dead.await("/push", MANY)).hasSize(MANY);
        assertThat(world.query("SELECT 1 FROM push.unit WHERE attempts <> 1")).isEmpty();
    }

    @Test
    void unitWithoutRequestProvesNoGateway() {
        dead.behave("/push", RecordingGateway.text(503, ""));
        world.add(world.message("gone"), ADA);
        world.awaitUnits("gone", "pending 1");
        world.database.execute("DELETE FROM push.pushed_event");
        world.clock.advance(Duration.ofMinutes(5));
        world.awaitUnits("gone", "superseded 1");

        dead.behave("/push", RecordingGateway.HANG);
        world.add(spread());
        await().atMost(Duration.ofSeconds(20)).until(() -> dead.open() > 0);
        world.add(world.message("a"), BOB);
        world.awaitUnits("a", "delivered 1");
        assertThat(dead.open()).isEqualTo(1);
    }

    /** The pace of a tenant leaves the others alone, and a backlog goes on by itself. */
    @Test
    void tenantSendsNoMorePushesThanItsLimit() {
        world.setPusherAt(EVE, "eve", dead.url("/eve"));
        world.add(IntStream.range(0, 4)
                .mapToObj(n -> new NewUnit(ofOtherTenant("eve" + n), EVE.user(), PushWorld.verdict("notify")))
                .toList());
        world.add(world.message("a"), BOB);
        world.awaitUnits("a", "delivered 1");
        for (int sent = 1; sent <= 4; sent++) {
            assertThat(dead.await("/eve", sent)).hasSize(sent);
            world.awaitUnits("eve" + (sent - 1), "delivered 1");
            world.clock.advance(Duration.ofMillis(200));
        }
    }

    private UnitEvent ofOtherTenant(String name) {
        return new UnitEvent(
                new TenantId(2),
                PushWorld.ROOM,
                new EventId("$" + name),
                1,
                world.clock.millis(),
                null,
                "m.x",
                null,
                EVE.user(),
                null,
                null,
                null,
                "{}");
    }

    private List<NewUnit> backlog() {
        return IntStream.range(0, MANY)
                .mapToObj(n -> new NewUnit(world.message("m" + n), ADA.user(), PushWorld.verdict("notify")))
                .toList();
    }

    /** In different rooms, because units of one room are sent one after the other. */
    private List<NewUnit> spread() {
        return IntStream.range(0, MANY)
                .mapToObj(n -> world.event(
                        new RoomId("!room%d0123456789abcdef:one.example".formatted(n)),
                        "m" + n,
                        "m.x",
                        null,
                        "{}",
                        null))
                .map(event -> new NewUnit(event, ADA.user(), PushWorld.verdict("notify")))
                .toList();
    }
}
