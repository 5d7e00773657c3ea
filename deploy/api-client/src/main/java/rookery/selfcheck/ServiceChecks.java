// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static rookery.selfcheck.AccountChecks.expectStatus;
import static rookery.selfcheck.UnmetException.expect;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import rookery.e2e.api.Paths;
import rookery.selfcheck.Checklist.LeftOutException;

/** Checks for which a single user is enough. */
record ServiceChecks(Visit visit) {
    private static final String RULE = "/v3/pushrules/global/content/self-check";

    String health() throws IOException {
        var health = visit.http.call("GET", "/health", null, null);
        expect(health.isOk() && health.text().startsWith("{"), health + ": is a Rookery there?");
        visit.http.call("GET", "/health/live", null, null).ok();
        var ready = visit.http.call("GET", "/health/ready", null, null);
        var checks = ready.json()
                .path("checks")
                .propertyStream()
                .map(check -> check.getKey() + " " + check.getValue().asString(""))
                .collect(Collectors.joining(", "));
        expect(ready.isOk(), "not ready: " + checks);
        return checks;
    }

    String files() throws IOException {
        var ada = visit.ada();
        if (ada.get("/v1/media/config").path("m.upload.size").asLong(-1) == 0) {
            throw LeftOutException.off("no folder or bucket is set (rookery.room.media), so nobody can upload files");
        }
        var content = "self-check " + new SecureRandom().nextLong();
        var headers = Map.of("Authorization", "Bearer " + ada.session().token(), "Content-Type", "text/plain");
        var uri = visit.media
                .raw("POST", "/v3/upload", headers, content)
                .ok()
                .path("content_uri")
                .asString("");
        visit.file(uri);
        visit.leaves(uri, "the file %s of %d bytes".formatted(uri, content.length()));
        var downloaded = visit.grace().ask("GET", "/v1/media/download/" + uri.replace("mxc://", ""), null);
        expect(downloaded.isOk(), downloaded.toString());
        expect(downloaded.text().equals(content), "a file did not come back as it was uploaded");
        return "uploaded and downloaded";
    }

    String filters() throws IOException {
        var ada = visit.ada();
        var filter = Map.of("room", Map.of("timeline", Map.of("limit", 1)));
        var id = ada.post("/v3/filter", filter).path("filter_id").asString("");
        if (visit.isOfOthers) { // filters of a deactivated user are deleted
            visit.leaves("filter", "a filter of " + ada.userId());
        }
        ada.get("/v3/sync?filter=" + Paths.encoded(id));
        return "saved and used";
    }

    String pushRules() throws IOException {
        var ada = visit.ada();
        var rules = ada.get("/v3/pushrules").path("global");
        expect(rules.has("override") && rules.has("underride"), "no rules");
        ada.put(RULE, Map.of("pattern", "tea", "actions", List.of("notify")));
        visit.leaves(RULE, "the push rule self-check of " + ada.userId());
        ada.put(RULE + "/actions", Map.of("actions", List.of("dont_notify")));
        expect(ada.get(RULE).path("pattern").asString("").equals("tea"), "a rule is not as it was written");
        ada.session().call("DELETE", RULE, null).ok();
        visit.tookAway(RULE);
        return "read, made, changed and deleted";
    }

    String pushers() throws IOException {
        var ada = visit.ada();
        var pusher = Map.of(
                "pushkey",
                "self-check",
                "kind",
                "http",
                "app_id",
                "rookery.self-check",
                "app_display_name",
                "Self-check",
                "device_display_name",
                "none",
                "lang",
                "en",
                "data",
                Map.of("url", "https://push.invalid/_matrix/push/v1/notify"));
        // a server may refuse addresses that it cannot resolve
        var created = expectStatus(ada.ask("POST", "/v3/pushers", pusher), 200, 400);
        ada.get("/v3/pushers");
        var deleted = ada.ask("DELETE", "/v3/pushers/self-check?app_id=rookery.self-check", null);
        expectStatus(deleted, created.isOk() ? 200 : 404);
        return created.isOk() ? "made, listed and deleted" : "listed; the server refuses gateways without a DNS entry";
    }

    String statistics() throws IOException {
        visit.http.call("GET", "/stats", null, null).ok();
        var metrics = visit.http.call("GET", "/metrics", null, null);
        if (metrics.status() == 403 || metrics.status() == 404) {
            return "stats; metrics are not shown to this address";
        }
        expect(metrics.isOk(), metrics.toString());
        return "stats and metrics";
    }
}
