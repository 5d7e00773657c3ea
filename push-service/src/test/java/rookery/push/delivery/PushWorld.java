// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.push.Verdict;
import rookery.push.PushNode;
import rookery.push.PushNode.UserDevice;
import rookery.testing.SetClock;

/** Instances over one database, and a push gateway. As an extension, each test begins without earlier rows and requests. */
final class PushWorld implements AutoCloseable, BeforeEachCallback, AfterAllCallback {
    static final RoomId ROOM = new RoomId("!room0123456789abcdef:one.example");
    static final UserDevice ADA = UserDevice.of("ada");
    static final UserDevice BOB = UserDevice.of("bob");

    final Database database = TestServers.database("push-service");
    final SetClock clock = new SetClock();
    final RecordingGateway gateway = new RecordingGateway();
    final List<PushNode> nodes = new ArrayList<>();
    private final String[] settings;
    private final AtomicLong pos = new AtomicLong();
    /** The badge count of all users. */
    final AtomicInteger badge = new AtomicInteger();

    PushWorld(int instances, String... settings) {
        this.settings = settings;
        for (int i = 0; i < instances; i++) {
            start();
        }
    }

    PushNode start() {
        var node = new PushNode(database, clock, this::register, settings);
        nodes.add(node);
        return node;
    }

    private void register(GenericApplicationContext context) {
        PushNode.primary(
                context,
                Badge.class,
                (_, users) -> Flux.fromIterable(users).collectMap(user -> user, _ -> badge.get()));
    }

    void stopAll() {
        nodes.forEach(PushNode::close);
        nodes.clear();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        database.execute("DELETE FROM push.unit", "DELETE FROM push.pusher", "DELETE FROM push.pushed_event");
        database.execute("DELETE FROM push.pause", "DELETE FROM push.deferred_event");
        gateway.forget();
        badge.set(0);
    }

    void setPusher(UserDevice device, String pushkey, String path, String... more) {
        setPusherAt(device, pushkey, gateway.url(path), more);
    }

    void setPusherAt(UserDevice device, String pushkey, String url, String... more) {
        var fields = more.length == 0 ? "" : "," + String.join(",", more);
        var answer = nodes.getFirst().call(device, "POST", "/v3/pushers", """
                {"pushkey":"%s","kind":"http","app_id":"app","app_display_name":"App","device_display_name":"Phone",\
                "lang":"en","url":"%s"%s}""".formatted(pushkey, url, fields));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    }

    /** A message in the room, sent now. */
    UnitEvent message(String name) {
        return event(ROOM, name, "m.room.message", null, "{\"body\":\"hello\",\"msgtype\":\"m.text\"}", null);
    }

    UnitEvent event(
            RoomId room,
            String name,
            String type,
            @Nullable String stateKey,
            String content,
            @Nullable EventId thread) {
        return new UnitEvent(
                new TenantId(1),
                room,
                new EventId("$" + name),
                pos.incrementAndGet(),
                clock.millis(),
                thread,
                type,
                stateKey,
                new UserId("@carl:one.example"),
                "Carl",
                "The room",
                "#room:one.example",
                content);
    }

    static Verdict verdict(Object... actions) {
        var all = List.of(actions);
        return new Verdict(true, false, all.contains("coalesce"), all, null);
    }

    void add(UnitEvent event, UserDevice... users) {
        add(List.of(users).stream()
                .map(device -> new NewUnit(event, device.user(), verdict("notify")))
                .toList());
    }

    void add(List<NewUnit> units) {
        var node = nodes.getFirst();
        node.bean(Deliveries.class)
                .add(units)
                .as(node.bean(TransactionalOperator.class)::transactional)
                .block(Duration.ofSeconds(20));
    }

    /** The units of an event, the oldest pusher first, with outcome and number of attempts, such as {@code delivered 1}. */
    List<String> units(String event) {
        return query("SELECT outcome || ' ' || attempts FROM push.unit WHERE event_id = '$%s' ORDER BY pusher"
                .formatted(event));
    }

    void awaitUnits(String event, String... expected) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(units(event)).containsExactly(expected));
    }

    /** Waits until exactly these pushkeys exist. */
    void awaitPushers(String... pushkeys) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(query("SELECT pushkey FROM push.pusher ORDER BY id"))
                        .containsExactly(pushkeys));
    }

    List<String> query(String sql) {
        return database.texts(sql);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        stopAll();
        gateway.close();
    }
}
