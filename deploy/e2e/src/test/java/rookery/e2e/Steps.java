// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** What takes several requests: authenticating step by step, and making administrators. */
final class Steps {
    static final String PASSWORD = "correct horse battery"; // of every Session

    private Steps() {}

    /** Asks twice: the second time with the password, as the answer to the first one wants it. */
    static Answer withPassword(Session session, String method, String path, Map<String, ?> body) throws IOException {
        var challenge = session.call(method, path, body);
        return session.call(method, path, answering(challenge.json(), session.userId(), body, PASSWORD));
    }

    /** The body again, with the password for the challenge. */
    static Map<String, ?> answering(JsonNode challenge, String userId, Map<String, ?> body, String password) {
        var answer = new HashMap<String, Object>(body);
        answer.put(
                "auth",
                Map.of(
                        "type",
                        "m.login.password",
                        "identifier",
                        Map.of("type", "m.id.user", "user", userId),
                        "password",
                        password,
                        "session",
                        challenge.path("session").asString()));
        return answer;
    }

    /** Logs in; the answer may be a refusal. */
    static Answer login(Http http, String userId, String password, Map<String, ?> more) throws IOException {
        var body = new HashMap<String, Object>(more);
        body.put("type", "m.login.password");
        body.put("identifier", Map.of("type", "m.id.user", "user", userId));
        body.put("password", password);
        return http.call("POST", "/v3/login", null, body);
    }

    /** A new user whom the operator has made an administrator. */
    static Session administrator(Rookery rookery, Http http) throws IOException {
        return administrator(rookery, http, 1);
    }

    /** The same of the tenant with that number, to which {@code http} speaks. */
    static Session administrator(Rookery rookery, Http http, int tenant) throws IOException {
        var session = People.newcomer(http, "root");
        new Nodes(rookery)
                .internal(
                        "auth-service",
                        "/internal/admin/promote",
                        Map.of("tenant", tenant, "user", session.userId(), "admin", true))
                .ok();
        return Session.login(http, session.userId());
    }
}
