// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer.Answer;

/** Only the named services reach internal routes, in every spelling of the path (design.md 6, contract.md 19). */
class InternalRoutesIT {
    private static final String INTERNAL = "/internal/";
    private static final int ROUTES_MIN = 15;
    /** Spellings that a router decodes, strips or leaves unchanged. */
    private static final List<String> WRITINGS =
            List.of(INTERNAL, "/%69nternal/", "/internal;x=1/", "/int%65rnal;a=b;c/", "/internal//");

    /** The routes of the log, which are not handler methods. */
    private static final List<String> FUNCTIONS = List.of(
            "GET /internal/log/heads",
            "GET /internal/log/1",
            "POST /internal/admin/raise-epoch",
            "POST /internal/admin/trust-timeline");

    private static final AuthServer server = AuthServer.shared();

    @Test
    void clientsReachNone() {
        String token = server.tokenOfNewUser(ALPHA, AuthServer.name());
        var routes = Stream.concat(server.routes().filter(route -> route.contains(" " + INTERNAL)), FUNCTIONS.stream())
                .toList();
        assertThat(routes).hasSizeGreaterThanOrEqualTo(ROUTES_MIN);
        assertThat(routes)
                .allSatisfy(route -> WRITINGS.forEach(writing -> {
                    var words = route.replaceAll("\\{[^}]*}", "x").split(" " + INTERNAL, 2);
                    var answer = server.call(ALPHA, token, words[0], writing + words[1], "{}");
                    assertThat(answer.status()).as("%s as %s", route, writing).isIn(403, 404);
                    assertThat(answer.text("errcode"))
                            .as("%s as %s", route, writing)
                            .isIn("M_FORBIDDEN", "M_UNRECOGNIZED");
                }));
    }

    @Test
    void servicesReachNothingThatIsForClients() {
        Answer answer = server.internal("GET", "/internal/../_api/client/v3/account/whoami", null);
        assertThat(answer.status()).isIn(403, 404);
    }
}
