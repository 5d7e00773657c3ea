// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AddressShown;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.embedded.Deadline;

class DeactivationIT {
    private static final String DEACTIVATE = "/_api/client/v3/account/deactivate";
    private static final String INTERNAL = "/internal/admin/deactivate";
    private static final String DONE = "{\"id_server_unbind_result\":\"no-support\"}";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final Answer session = server.register(ALPHA, name, "correct horse");

    @Test
    void ownerEndsTheAccountForGood() {
        var other = server.login(ALPHA, name);
        server.database().execute("""
                INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at)
                VALUES (1, 'email', '%1$s@gone.example', '%2$s', now(), now())
                """.formatted(name, user()));

        var answer = server.withPassword(ALPHA, session, "POST", DEACTIVATE, "{}");

        assertThat(answer.raw().body()).isEqualTo(DONE);
        assertThat(server.state(ALPHA, session.text("access_token"))).isEqualTo("unknown");
        assertThat(server.state(ALPHA, other.text("access_token"))).isEqualTo("unknown");
        assertThat(server.login(ALPHA, name).refusal()).isEqualTo("403 M_USER_DEACTIVATED");
        assertThat(server.register(ALPHA, name, "correct horse").refusal()).isEqualTo("400 M_USER_IN_USE");
        assertThat(server.call(ALPHA, "GET", "/_api/client/v3/profile/" + user(), null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        for (var table : List.of("device", "access_token", "threepid", "login_token")) {
            assertThat(count(table)).as(table).isZero();
        }
        assertThat(count("profile_field")).as("not erased").isPositive();
        assertThat(server.count("SELECT count(*) FROM auth.uia_session WHERE consumed_at IS NULL AND user_id = '"
                        + user() + "'"))
                .isZero();
    }

    @Test
    void erasureTakesTheProfileToo() {
        server.withPassword(ALPHA, session, "POST", DEACTIVATE, "{\"erase\":true}");

        assertThat(count("profile_field")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"erase\":\"yes\"}", "{\"auth\":7}"})
    void badRequestsAreRefused(String body) {
        assertThat(server.call(ALPHA, session.text("access_token"), "POST", DEACTIVATE, body)
                        .refusal())
                .isEqualTo("400 M_BAD_JSON");
    }

    @Test
    void withoutATokenTheOwnerShowsAnAddress() {
        try (var addressed = AuthServer.with(List.of(new AddressShown()))) {
            var own = addressed.register(ALPHA, name, "correct horse");
            String body = """
                    {"auth":{"type":"m.login.email.identity",
                             "threepid_creds":{"sid":"%s@mail.example","client_secret":"s"}}}
                    """.formatted(name);
            assertThat(addressed.call(ALPHA, "POST", DEACTIVATE, body).refusal())
                    .isEqualTo("403 M_FORBIDDEN");
            addressed.database().execute("""
                    INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at)
                    VALUES (1, 'email', '%s@mail.example', '%s', now(), now())
                    """.formatted(name, user()));

            assertThat(addressed.call(ALPHA, "POST", DEACTIVATE, body).raw().body())
                    .isEqualTo(DONE);
            assertThat(addressed.state(ALPHA, own.text("access_token"))).isEqualTo("unknown");
            assertThat(addressed.call(ALPHA, "POST", DEACTIVATE, body).refusal())
                    .as("the address is nobody's by now")
                    .isEqualTo("403 M_FORBIDDEN");
        }
    }

    @Test
    void administratorsDeactivateAndARepeatIsTheSame() {
        assertThat(admin(server, 1, user(), false).raw().body()).isEqualTo(DONE);
        assertThat(admin(server, 1, user(), false).raw().body()).isEqualTo(DONE);
        assertThat(count("profile_field")).isPositive();
        assertThat(admin(server, 1, user(), true).raw().body()).isEqualTo(DONE);
        assertThat(count("profile_field")).as("erased by the repeat").isZero();
        assertThat(server.count("SELECT count(*) FROM auth.log_entry WHERE kind = 'account' AND subject = '" + user()
                        + "' AND body LIKE '%ended%'"))
                .as("services with data of the user are called")
                .isEqualTo(3);
        assertThat(admin(server, 1, "@nobody:alpha.example", false).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(admin(server, 2, user(), false).refusal())
                .as("another tenant")
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void lastAdministratorStays() throws Exception {
        try (var fresh = AuthServer.with()) {
            var first = fresh.register(ALPHA, "first", "correct horse");
            fresh.register(ALPHA, "second", "correct horse");
            fresh.register(BETA, "third", "correct horse");
            fresh.database().execute("UPDATE auth.account SET admin = true");

            var answers = new ArrayList<Integer>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var one = threads.submit(() -> admin(fresh, 1, ALPHA.user("first"), false));
                var two = threads.submit(() -> admin(fresh, 1, ALPHA.user("second"), false));
                answers.add(one.get().status());
                answers.add(two.get().status());
            }

            assertThat(answers).containsExactlyInAnyOrder(200, 403);
            if (answers.getFirst() == 403) {
                assertThat(fresh.withPassword(ALPHA, first, "POST", DEACTIVATE, "{}")
                                .refusal())
                        .isEqualTo("403 M_FORBIDDEN");
            }
        }
    }

    @Test
    void roomsAreLeftAlsoWhenThatFailsAtFirst() throws Exception {
        var requests = new CopyOnWriteArrayList<String>();
        var failures = new AtomicInteger(1);
        var syncRequests = new CopyOnWriteArrayList<String>();
        var rooms = rooms(requests, failures);
        var sync = rooms(syncRequests, new AtomicInteger(1));
        try (var fresh = AuthServer.with(
                "--rookery.instances.addresses.room-service[0]=" + address(rooms),
                "--rookery.instances.addresses.sync-service[0]=" + address(sync),
                "--rookery.auth.departure-interval=100ms")) {
            fresh.register(ALPHA, name, "correct horse");
            admin(fresh, 1, user(), true);

            until(() -> fresh.count("SELECT count(*) FROM auth.departure") == 0);

            assertThat(requests)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .containsOnly("{\"tenant\":1,\"user\":\"%s\",\"erase\":true}".formatted(user()));
            assertThat(syncRequests).hasSizeGreaterThanOrEqualTo(2).containsOnly(requests.getFirst());
        } finally {
            rooms.stop(0);
            sync.stop(0);
        }
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static HttpServer rooms(List<String> requests, AtomicInteger failures) throws IOException {
        var rooms = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rooms.createContext("/internal/users/depart", exchange -> {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(failures.getAndDecrement() > 0 ? 503 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        rooms.start();
        return rooms;
    }

    private static void until(BooleanSupplier condition) {
        assertThat(Deadline.in(PATIENCE).until(condition)).isTrue();
    }

    private static Answer admin(AuthServer server, int tenant, String user, boolean erase) {
        return server.internal(
                "POST", INTERNAL, "{\"tenant\":%d,\"user\":\"%s\",\"erase\":%b}".formatted(tenant, user, erase));
    }

    private String user() {
        return ALPHA.user(name);
    }

    private int count(String table) {
        return server.count("SELECT count(*) FROM auth.%s WHERE user_id = '%s'".formatted(table, user()));
    }
}
