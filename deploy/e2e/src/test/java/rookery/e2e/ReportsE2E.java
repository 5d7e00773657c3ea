// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.running.Rookery;

/** Reports on their way from a user to the administrators of the tenant (contract.md 13.11, 5.2, 5.3). */
@OnOneJvm
class ReportsE2E {
    private final Rookery rookery;

    ReportsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void administratorsOfTheTenantReadAndCloseReports() throws Exception {
        var root = Steps.administrator(rookery, rookery.http());
        var ada = People.newcomer(rookery.http(), "ada");
        var grace = People.newcomer(rookery.http(), "grace");
        var room = People.roomOf(ada, grace);
        var event = grace.send(room, "1", Map.of("msgtype", "m.text", "body", "an insult"))
                .ok()
                .path("event_id")
                .asString();

        ada.call("POST", "/v3/rooms/" + room + "/report/" + event, Map.of("reason", "rude"))
                .ok();
        ada.call("POST", "/v3/rooms/" + room + "/report", Map.of("reason", "all of it"))
                .ok();
        ada.call("POST", "/v3/users/" + grace.userId() + "/report", Map.of("reason", "her"))
                .ok();

        var listed =
                root.call("GET", "/v3/admin/reports?state=open&limit=3", null).ok();
        assertThat(listed.path("reports"))
                .extracting(report -> report.path("reason").asString())
                .containsExactly("her", "all of it", "rude");
        var reported = listed.path("reports").path(2);
        assertThat(reported.at("/event/content/body").asString()).isEqualTo("an insult");
        String path = "/v3/admin/reports/" + reported.path("id").asString();
        var closed = root.call("POST", path, Map.of("state", "closed", "note", "warned"))
                .ok();
        assertThat(closed.path("closed_by").asString()).isEqualTo(root.userId());
        assertThat(root.call("GET", path, null).ok()).isEqualTo(closed);
        assertThat(root.call("POST", path, Map.of("state", "open")).status()).isEqualTo(400);
        assertThat(root.call("GET", "/v3/admin/reports/0", null).status()).isEqualTo(404);
        assertThat(root.call("GET", "/v3/admin/reports?state=x", null).status()).isEqualTo(400);
        assertThat(root.call("GET", "/v3/admin/reports?from=x", null).status()).isEqualTo(400);

        assertThat(ada.call("GET", "/v3/admin/reports", null).status()).isEqualTo(403);
        try (var elsewhere = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var other = Steps.administrator(rookery, elsewhere, 2);
            assertThat(other.call("GET", path, null).status()).isEqualTo(404);
        }
    }
}
