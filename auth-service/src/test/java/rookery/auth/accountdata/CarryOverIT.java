// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class CarryOverIT {
    private static final String OLD = "!oldoldoldoldoldold:alpha.example";
    private static final String NEW = "!newnewnewnewnewnew:alpha.example";

    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String token = server.tokenOfNewUser(ALPHA, name);

    @Test
    void whatAUserMadeOfARoomFollowsIntoItsSuccessor() {
        data("PUT", "/rooms/" + OLD + "/tags/m.favourite", "{\"order\":0.25}");
        data("PUT", "/account_data/m.direct", "{\"@b:alpha.example\":[\"" + OLD + "\"]}");
        rules("{\"global\":{\"room\":[{\"rule_id\":\"" + OLD + "\",\"actions\":[]}]}}");

        assertThat(carryOver(ALPHA.id()).raw().body()).isEqualTo("{}");
        assertThat(carryOver(ALPHA.id()).status()).isEqualTo(200);

        assertThat(data("GET", "/rooms/" + NEW + "/tags", null).raw().body())
                .isEqualTo("{\"tags\":{\"m.favourite\":{\"order\":0.25}}}");
        assertThat(data("GET", "/account_data/m.direct", null).raw().body())
                .isEqualTo("{\"@b:alpha.example\":[\"" + OLD + "\",\"" + NEW + "\"]}");
        assertThat(stored()).containsOnlyOnce("\"rule_id\":\"" + NEW + "\"");
    }

    @Test
    void nothingIsSetForWhoHadNothing() {
        assertThat(carryOver(ALPHA.id()).status()).isEqualTo(200);

        assertThat(stored()).contains("\"events\":[]");
    }

    @Test
    void aCopyThatWouldBeTooLargeIsLeftOut() {
        String head = "{\"@b:alpha.example\":[\"" + OLD + "\",\"";
        String content = head + "x".repeat(65_536 - head.length() - "\"]}".length()) + "\"]}";
        assertThat(data("PUT", "/account_data/m.direct", content).status()).isEqualTo(200);
        data("PUT", "/rooms/" + OLD + "/tags/m.favourite", "{}");

        assertThat(carryOver(ALPHA.id()).status()).isEqualTo(200);

        assertThat(data("GET", "/rooms/" + NEW + "/tags", null).raw().body())
                .isEqualTo("{\"tags\":{\"m.favourite\":{}}}");
    }

    @Test
    void carryingOverManyTimesAtOnceCopiesOnce() throws Exception {
        data("PUT", "/account_data/m.direct", "{\"@b:alpha.example\":[\"" + OLD + "\"]}");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 20)
                    .mapToObj(_ -> threads.submit(() -> carryOver(ALPHA.id())))
                    .toList();
            for (var one : running) {
                assertThat(one.get().status()).isEqualTo(200);
            }
        }
        assertThat(data("GET", "/account_data/m.direct", null).raw().body()).containsOnlyOnce(NEW);
    }

    @Test
    void whoDoesNotExistThereIsNotFound() {
        assertThat(carryOver(BETA.id()).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    private Answer carryOver(int tenant) {
        return server.internal(
                "POST",
                "/internal/users/%s/carry-over".formatted(ALPHA.user(name)),
                "{\"tenant\":%d,\"from_room\":\"%s\",\"to_room\":\"%s\"}".formatted(tenant, OLD, NEW));
    }

    private void rules(String content) {
        assertThat(server.internal(
                                "POST",
                                "/internal/users/%s/account-data".formatted(ALPHA.user(name)),
                                "{\"tenant\":%d,\"type\":\"m.push_rules\",\"content\":%s}"
                                        .formatted(ALPHA.id(), content))
                        .status())
                .isEqualTo(200);
    }

    /** All stored account data of the user. */
    private String stored() {
        var answer = server.internal(
                "GET",
                "/internal/users/%s/account-data?tenant=%d&after=0".formatted(ALPHA.user(name), ALPHA.id()),
                null);
        return answer.raw().body();
    }

    private Answer data(String method, String rest, @Nullable String body) {
        return server.call(ALPHA, token, method, "/_api/client/v3/user/" + ALPHA.user(name) + rest, body);
    }
}
