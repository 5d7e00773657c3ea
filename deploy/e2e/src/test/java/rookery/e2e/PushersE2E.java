// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Pushers through the gateway (contract.md 12.6). */
@OnOneJvm
class PushersE2E {
    private static final String URL = "https://push.example/_matrix/push/v1/notify";
    private static final Map<String, Object> PUSHER = Map.of(
            "pushkey",
            "key",
            "kind",
            "http",
            "app_id",
            "com.example",
            "app_display_name",
            "Example",
            "device_display_name",
            "Phone",
            "lang",
            "en",
            "url",
            URL);

    private final Rookery rookery;

    PushersE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void pusherIsSetShownMovedAndDeletedUnderBothPrefixes() throws IOException {
        for (var http : List.of(rookery.http(), Http.to(rookery.site().withPrefix(TenantAddress.MATRIX)))) {
            var ada = People.newcomer(http, "pusher");
            assertThat(pushers(ada)).isEmpty();
            ok(set(ada, "/v3/pushers", Map.of()));
            ok(set(ada, "/v3/pushers/set", Map.of("lang", "de")));
            ok(set(ada, "/v3/pushers/set", Map.of("pushkey", "a/b:c+d ü", "append", true)));
            var shown = pushers(ada);
            assertThat(shown).extracting(it -> it.path("pushkey").asString()).containsExactly("key", "a/b:c+d ü");
            assertThat(shown.getFirst().path("lang").asString()).isEqualTo("de");
            assertThat(shown.getFirst().path("url").asString()).isEqualTo(URL);
            assertThat(shown.getFirst().path("data").path("url").asString()).isEqualTo(URL);
            ok(call(ada, "DELETE", "/v3/pushers/a%2Fb%3Ac%2Bd%20%C3%BC?app_id=com.example", null));
            assertThat(call(ada, "DELETE", "/v3/pushers/other", null).errcode()).isEqualTo("M_NOT_FOUND");
            var deletion = new HashMap<String, @Nullable Object>(Map.of("pushkey", "key", "app_id", "com.example"));
            deletion.put("kind", null);
            ok(ada.http().call("POST", "/v3/pushers/set", ada.token(), deletion));
            assertThat(pushers(ada)).isEmpty();
        }
    }

    @Test
    void pushkeyMovesToWhoeverSetsItLastAndOthersCannotTouchIt() throws IOException {
        try (var http = rookery.http()) {
            var ada = People.newcomer(http, "pusher");
            var bob = People.newcomer(http, "pusher");
            var own = Map.<String, Object>of("pushkey", "shared by " + ada.userId());
            ok(set(ada, "/v3/pushers", own));
            assertThat(call(
                                    bob,
                                    "DELETE",
                                    "/v3/pushers/shared%20by%20" + ada.userId().replace("@", "%40"),
                                    null)
                            .errcode())
                    .isEqualTo("M_NOT_FOUND");
            assertThat(pushers(ada)).hasSize(1);
            ok(set(bob, "/v3/pushers", own));
            assertThat(pushers(ada)).isEmpty();
            assertThat(pushers(bob)).hasSize(1);
        }
    }

    @Test
    void refusalsComeThrough() throws IOException {
        try (var http = rookery.http()) {
            var ada = People.newcomer(http, "pusher");
            assertThat(http.call("GET", "/v3/pushers", null, null).errcode()).isEqualTo("M_MISSING_TOKEN");
            assertThat(http.call("POST", "/v3/pushers/set", "nonsense", PUSHER).errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(set(ada, "/v3/pushers", Map.of("kind", "email")).errcode())
                    .isEqualTo("M_INVALID_PARAM");
            assertThat(set(ada, "/v3/pushers", Map.of("url", "gopher://push.example/"))
                            .errcode())
                    .isEqualTo("M_INVALID_PARAM");
            assertThat(ada.http()
                            .call("POST", "/v3/pushers", ada.token(), Map.of())
                            .errcode())
                    .isEqualTo("M_MISSING_PARAM");
            assertThat(call(ada, "PUT", "/v3/pushers", Map.of()).status()).isEqualTo(405);
        }
    }

    private static Answer set(Session who, String path, Map<String, Object> more) throws IOException {
        var pusher = new HashMap<>(PUSHER);
        pusher.putAll(more);
        return call(who, "POST", path, pusher);
    }

    private static Answer call(Session who, String method, String path, @Nullable Map<String, ?> body)
            throws IOException {
        return who.http().call(method, path, who.token(), body);
    }

    private static List<JsonNode> pushers(Session who) throws IOException {
        return call(who, "GET", "/v3/pushers", null)
                .ok()
                .path("pushers")
                .valueStream()
                .toList();
    }

    private static void ok(Answer answer) {
        assertThat(answer.ok().toString()).isEqualTo("{}");
    }
}
