// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;

class AnswerCheckTest {
    private static final String OWN = "/_api/client";
    private static final String STANDARD = "/_matrix/client";

    private final AnswerCheck check = new AnswerCheck();

    @Test
    void anAnswerAsDescribedIsNoDisagreement() {
        see("GET /v3/joined_rooms", 200, "{\"joined_rooms\": [\"!abc:localhost\"]}");
        see("GET /v3/pushrules/", 403, "{\"errcode\": \"M_FORBIDDEN\", \"error\": \"no\"}");
        assertThat(check.disagreements()).isEmpty();
    }

    @Test
    void aMissingMemberIsFound() {
        see("GET /v3/joined_rooms?a=b", 200, "{}");
        assertThat(places()).containsExactly("GET /_api/client/v3/joined_rooms");
    }

    @Test
    void aWrongTypeIsFoundAtItsPlace() {
        see("GET /v3/joined_rooms", 200, "{\"joined_rooms\": [1]}");
        assertThat(check.disagreements()).extracting(Disagreement::pointer).containsExactly("/joined_rooms/0");
    }

    @Test
    void aMemberThatIsNotDescribedIsFound() {
        see(
                "GET /v3/account/whoami",
                200,
                "{\"user_id\": \"@a:b\", \"device_id\": \"D\", \"is_guest\": false, \"new\": 1}");
        assertThat(check.disagreements())
                .extracting(Disagreement::message)
                .singleElement()
                .asString()
                .contains("'new'");
    }

    @Test
    void membersDeepInAnAnswerAreCompared() {
        see(
                "GET /v3/rooms/!a:b/messages?dir=b",
                200,
                "{\"start\": \"s\", \"chunk\": [{\"event_id\": \"$e\", \"type\": \"t\", \"sender\": \"@a:b\","
                        + " \"origin_server_ts\": 1, \"content\": {\"any\": 1}, \"unsigned\": {\"age\": 1, \"new\": 2}}]}");
        assertThat(check.disagreements()).extracting(Disagreement::pointer).containsExactly("/chunk/0/unsigned");
    }

    @Test
    void anErrorHasItsSchemaWhateverItsStatus() {
        see("GET /v3/sync", 418, "{\"error\": \"no code\"}");
        assertThat(places()).containsExactly("GET /_api/client/v3/sync");
    }

    @Test
    void aRouteThatIsNotDescribedMustNotSucceed() {
        see("GET /v3/no/such/thing", 404, "{\"errcode\": \"M_UNRECOGNIZED\", \"error\": \"no\"}");
        assertThat(check.disagreements()).isEmpty();
        see("GET /v3/no/such/thing", 200, "{}");
        assertThat(places()).containsExactly("GET /_api/client/v3/no/such/thing");
    }

    @Test
    void theMoreSpecificPathIsCompared() {
        see("POST /v3/rooms/!a:b/report/$e", 200, "{}");
        see("PUT /v3/rooms/!a:b/state/m.room.name/a%2Fb", 200, "{\"event_id\": \"$e\"}");
        assertThat(check.disagreements()).isEmpty();
    }

    @Test
    void pathsOfSynapseAreCompared() {
        seeSynapse("GET /v1/server_version", "{\"server_version\": \"Rookery 1\"}");
        seeSynapse("PUT /v1/suspend/@a:b", "{\"user_@a:b_suspended\": true}");
        assertThat(check.disagreements()).isEmpty();
        seeSynapse("PUT /v1/suspend/@a:b", "{\"suspended\": true}");
        assertThat(places()).containsExactly("PUT /_synapse/admin/v1/suspend/{userId}");
    }

    private List<String> places() {
        return check.disagreements().stream().map(Disagreement::operation).toList();
    }

    private void see(String request, int status, String body) {
        see(request, status, body, status % 2 == 0 ? OWN : STANDARD);
    }

    private void seeSynapse(String request, String body) {
        see(request, 200, body, "/_synapse/admin");
    }

    private void see(String request, int status, String body, String prefix) {
        var headers = HttpHeaders.of(Map.of("Content-Type", List.of("application/json")), (_, _) -> true);
        check.observe(new Answer(request, status, headers, body), prefix);
    }
}
