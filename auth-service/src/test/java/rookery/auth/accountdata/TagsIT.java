// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class TagsIT {
    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String token = server.tokenOfNewUser(ALPHA, name);

    @Test
    void tagsAreSetReadAndRemoved() {
        assertThat(call("GET", "", null).raw().body()).isEqualTo("{\"tags\":{}}");
        assertThat(call("PUT", "/m.favourite", "{\"order\":0.25}").raw().body()).isEqualTo("{}");
        assertThat(call("PUT", "/u.%F0%9F%98%80", "").status()).isEqualTo(200);
        assertThat(call("PUT", "/m.favourite", "{\"order\":0.5}").status()).isEqualTo(200);

        assertThat(call("GET", "", null).raw().body())
                .isEqualTo("{\"tags\":{\"m.favourite\":{\"order\":0.5},\"u.\ud83d\ude00\":{}}}");
        assertThat(ofRoom("GET", null).raw().body())
                .isEqualTo("{\"tags\":{\"m.favourite\":{\"order\":0.5},\"u.\ud83d\ude00\":{}}}");

        assertThat(call("DELETE", "/m.favourite", null).raw().body()).isEqualTo("{}");
        assertThat(call("DELETE", "/m.favourite", null).status()).isEqualTo(200);
        assertThat(call("GET", "", null).json().path("tags").propertyNames()).containsExactly("u.\ud83d\ude00");
    }

    @Test
    void removingWhatWasNeverThereSetsNothing() {
        assertThat(call("DELETE", "/m.favourite", null).status()).isEqualTo(200);

        assertThat(ofRoom("GET", null).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"order":"0.5"}  | 400 M_BAD_JSON
            {"order":1.01}   | 400 M_INVALID_PARAM
            {"order":-1}     | 400 M_INVALID_PARAM
            {"order":1e400}  | 400 M_INVALID_PARAM
            []               | 400 M_BAD_JSON
            {                | 400 M_NOT_JSON
            """)
    void badTagsAreRefused(String body, String refusal) {
        assertThat(call("PUT", "/m.x", body).refusal()).isEqualTo(refusal);
    }

    @Test
    void namesAndSizesHaveLimits() {
        assertThat(call("PUT", "/" + "t".repeat(255), "{}").status()).isEqualTo(200);
        assertThat(call("PUT", "/" + "t".repeat(256), "{}").refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(call("PUT", "/m.x", "{\"a\":\"" + "x".repeat(70_000) + "\"}").refusal())
                .isEqualTo("413 M_TOO_LARGE");
        assertThat(server.call(ALPHA, token, "GET", path().replace("!r:alpha.example", "r"), null)
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void othersAreForbidden() {
        String another = server.tokenOfNewUser(ALPHA, AuthServer.name());

        assertThat(server.call(ALPHA, another, "GET", path(), null).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, another, "PUT", path() + "/m.x", "{}").refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, another, "DELETE", path() + "/m.x", null).refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, "GET", path(), null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    @Test
    void whatIsThereAlreadyIsNoBarToTags() {
        assertThat(ofRoom("PUT", "{\"tags\":7,\"x\":1}").status()).isEqualTo(200);

        assertThat(call("GET", "", null).raw().body()).isEqualTo("{\"tags\":{}}");
        assertThat(call("PUT", "/m.x", "{}").status()).isEqualTo(200);
        assertThat(ofRoom("GET", null).raw().body()).isEqualTo("{\"tags\":{\"m.x\":{}},\"x\":1}");
    }

    @Test
    void tagsOfFiftyDevicesAtOnceAreAllKept() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 50)
                    .mapToObj(i -> threads.submit(() -> call("PUT", "/u.t" + i, "{}")))
                    .toList();
            for (var one : running) {
                assertThat(one.get().status()).isEqualTo(200);
            }
        }

        assertThat(call("GET", "", null).json().path("tags")).hasSize(50);
    }

    private Answer call(String method, String rest, @Nullable String body) {
        return server.call(ALPHA, token, method, path() + rest, body);
    }

    private Answer ofRoom(String method, @Nullable String body) {
        return server.call(ALPHA, token, method, path().replace("/tags", "/account_data/m.tag"), body);
    }

    private String path() {
        return "/_api/client/v3/user/%s/rooms/!r:alpha.example/tags".formatted(ALPHA.user(name));
    }
}
