// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.selfcheck.Checklist.LeftOutException;
import tools.jackson.databind.JsonNode;

/** Registers an account through all authentication stages that a program can pass (contract.md 3.3, 3.4). */
final class Registration {
    private static final String TOKEN = "m.login.registration_token";
    private static final String DUMMY = "m.login.dummy";
    private static final String TERMS = "m.login.terms";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int STAGES_MAX = 5;

    private final Http http;
    private final @Nullable String token;

    /** @param token a registration token, or null */
    Registration(Http http, @Nullable String token) {
        this.http = http;
        this.token = token;
    }

    Session register(String name, String password) throws IOException {
        var body = new HashMap<String, Object>(Map.of("username", name, "password", password));
        var answer = http.call("POST", "/v3/register", null, body);
        if (answer.status() == FORBIDDEN) {
            throw LeftOutException.notChecked("nobody may register here: give two accounts with --accounts FILE");
        }
        for (int stage = 0; stage < STAGES_MAX && answer.status() == UNAUTHORIZED; stage++) {
            body.put("auth", proof(answer));
            answer = http.call("POST", "/v3/register", null, body);
        }
        return Person.session(http, answer.ok());
    }

    private Map<String, Object> proof(Answer answer) throws IOException {
        var challenge = answer.json();
        if (challenge.has("errcode") && token != null) {
            throw LeftOutException.notChecked(
                    "the registration token was refused (%s): give two of them, or one that is good for two registrations"
                            .formatted(challenge.path("error").asString("")));
        }
        if (challenge.has("errcode")) {
            answer.ok(); // throws with the server's error
        }
        var next = next(challenge);
        var auth = new HashMap<String, Object>(
                Map.of("type", next, "session", challenge.path("session").asString("")));
        if (next.equals(TOKEN) && token != null) {
            auth.put("token", token);
        }
        return auth;
    }

    /** The next stage of a flow whose stages can all be passed; with a token, of a flow that requires the token. */
    private String next(JsonNode challenge) throws IOException {
        Set<String> passable = token == null ? Set.of(DUMMY, TERMS) : Set.of(DUMMY, TERMS, TOKEN);
        var completed = new HashSet<>(strings(challenge.path("completed")));
        return challenge
                .path("flows")
                .valueStream()
                .map(flow -> strings(flow.path("stages")))
                .filter(passable::containsAll)
                .max((one, other) -> Boolean.compare(one.contains(TOKEN), other.contains(TOKEN)))
                .flatMap(stages -> stages.stream()
                        .filter(stage -> !completed.contains(stage))
                        .findFirst())
                .orElseThrow(
                        () -> LeftOutException.notChecked(
                                challenge.path("flows").toString().contains(TOKEN)
                                        ? "who registers here needs a token: give --token TOKEN, or two accounts with --accounts FILE"
                                        : "who registers here needs what a program has not: give two accounts with --accounts FILE"));
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(each -> each.asString("")).toList();
    }
}
