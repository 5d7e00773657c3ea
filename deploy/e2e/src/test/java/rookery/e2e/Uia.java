// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;

/** An operation that wants an authentication, as a client goes through it. */
record Uia(Http http, @Nullable String token, String method, String path) {
    /** The first request; its answer names the session. */
    Answer begin(Map<String, ?> body) throws IOException {
        return http.call(method, path, token, body);
    }

    /** A request with a stage, in the session that an answer named. */
    Answer stage(Answer before, Map<String, ?> body, Map<String, ?> stage) throws IOException {
        var auth = new HashMap<String, Object>(stage);
        auth.put("session", before.json().path("session").asString());
        var all = new HashMap<String, Object>(body);
        all.put("auth", auth);
        return http.call(method, path, token, all);
    }

    static Map<String, Object> password(String user, String password) {
        return Map.of(
                "type",
                "m.login.password",
                "identifier",
                Map.of("type", "m.id.user", "user", user),
                "password",
                password);
    }

    static Map<String, Object> dummy() {
        return Map.of("type", "m.login.dummy");
    }
}
