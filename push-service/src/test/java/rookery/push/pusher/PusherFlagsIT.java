// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.embedded.TestServers;
import rookery.model.id.DeviceId;
import rookery.push.PushNode;
import rookery.push.PushNode.UserDevice;
import rookery.testing.SetClock;

/** {@link PusherFlags} is called in the transaction that changes a user's pushers. */
class PusherFlagsIT {
    private static final UserDevice ADA = UserDevice.of("ada");
    private static final UserDevice BOB = UserDevice.of("bob");
    private static final List<String> TOLD = new CopyOnWriteArrayList<>();

    private static PushNode node;
    private static volatile boolean refuses;

    @BeforeAll
    static void start() {
        node = new PushNode(
                TestServers.database("push-service"),
                new SetClock(),
                context ->
                        PushNode.primary(context, PusherFlags.class, (tenant, user, has) -> flagged(user + " " + has)));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @BeforeEach
    void forget() {
        node.bean(DatabaseClient.class).sql("DELETE FROM push.pusher").then().block();
        TOLD.clear();
        refuses = false;
    }

    private static Mono<Void> flagged(String news) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .filter(TransactionSynchronizationManager::isActualTransactionActive)
                .switchIfEmpty(Mono.error(new IllegalStateException("no transaction")))
                .doOnNext(_ -> TOLD.add(news))
                .filter(_ -> refuses)
                .flatMap(_ -> Mono.error(new IllegalStateException("refused")));
    }

    @Test
    void firstAndLastPusherAreTold() {
        set(ADA, "one");
        set(ADA, "one");
        assertThat(TOLD).containsExactly(ADA.user() + " true");
        set(ADA, "two");
        delete(ADA, "one");
        TOLD.clear();
        delete(ADA, "two");
        delete(ADA, "two");
        assertThat(TOLD).containsExactly(ADA.user() + " false");
    }

    @Test
    void whoeverLosesAPushkeyIsTold() {
        set(ADA, "one");
        TOLD.clear();
        set(BOB, "one");
        assertThat(TOLD).containsExactly(ADA.user() + " false", BOB.user() + " true");
    }

    @Test
    void changeThatCannotBeToldIsNotMade() {
        refuses = true;
        assertThat(post(ADA, "one").status()).isEqualTo(500);
        refuses = false;
        assertThat(node.call(ADA, "GET", "/v3/pushers", null).body().path("pushers"))
                .isEmpty();
    }

    /** The follower of the user log ends devices in its own transaction, which may be rolled back. */
    @Test
    void endOfADeviceBelongsToTheTransactionOfItsCaller() {
        set(ADA, "one");
        var end = node.bean(Pushers.class)
                .endOfDevice(ADA.tenantId(), ADA.user(), new DeviceId("DEVICE"))
                .then(Mono.error(new IllegalStateException("taken back")))
                .as(node.bean(TransactionalOperator.class)::transactional);
        assertThatThrownBy(end::block).hasMessage("taken back");
        assertThat(node.call(ADA, "GET", "/v3/pushers", null).body().path("pushers"))
                .hasSize(1);
    }

    private static void set(UserDevice device, String pushkey) {
        assertThat(post(device, pushkey).status()).isEqualTo(200);
    }

    private static PushNode.Answer post(UserDevice device, String pushkey) {
        return node.call(device, "POST", "/v3/pushers", """
                {"pushkey":"%s","kind":"http","app_id":"app","app_display_name":"App","device_display_name":"Phone",\
                "lang":"en","url":"https://push.example/"}""".formatted(pushkey));
    }

    private static void delete(UserDevice device, String pushkey) {
        node.call(device, "DELETE", "/v3/pushers/" + pushkey, null);
    }
}
