// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static rookery.selfcheck.AccountChecks.expectStatus;
import static rookery.selfcheck.UnmetException.expect;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.selfcheck.Checklist.LeftOutException;

/** Checks the endpoints of administrators, and that other users get 403. */
record AdministrationCheck(Visit visit, @Nullable Account account) {
    private static final String USERS = "/v3/admin/users?limit=1";

    String administration() throws IOException {
        int ofUser = visit.ada().ask("GET", USERS, null).status();
        // a given account may be an administrator
        expect(
                ofUser == 403 || (visit.isOfOthers && ofUser == 200),
                "a user without administrator rights may call administrators' endpoints");
        expectStatus(visit.http.call("GET", USERS, null, null), 401);
        if (account == null) {
            throw LeftOutException.off(
                    "refused to others; give --admin NAME and ROOKERY_ADMIN_PASSWORD to check the rest");
        }
        var proof = Person.passwordOf(account.user(), account.password());
        var admin = Person.session(
                visit.http, visit.http.call("POST", "/v3/login", null, proof).ok());
        try {
            read(admin);
            if (!visit.isOfOthers) {
                block(admin);
            }
            takeAway(admin);
        } finally {
            admin.call("POST", "/v3/logout", Map.of());
        }
        return "users, rooms, whois, limits, %skick, ban and purge".formatted(visit.isOfOthers ? "" : "block, ");
    }

    private void read(Session admin) throws IOException {
        admin.get(USERS);
        admin.get("/v3/admin/rooms?limit=1");
        admin.get("/v3/admin/whois/" + Paths.encoded(visit.grace().userId()));
        admin.get("/v3/admin/rate-limits");
        expectStatus(admin.call("POST", "/v3/admin/rate-limits", Map.of("max_requests", 0)), 400); // changes nothing
    }

    /** Skipped for given accounts: blocking a user ends the long polls of the user's other devices. */
    private void block(Session admin) throws IOException {
        var user = "/v3/admin/users/" + Paths.encoded(visit.grace().userId());
        admin.post(user + "/block", Map.of());
        try {
            expect(visit.grace().ask("GET", "/v3/account/whoami", null).status() == 401, "a blocked user may go on");
        } finally {
            admin.post(user + "/unblock", Map.of());
        }
    }

    private void takeAway(Session admin) throws IOException {
        if (visit.hasRoom()) {
            var room = "/v3/admin/rooms/" + Paths.encoded(visit.room());
            var grace = Map.of("user_id", visit.grace().userId());
            admin.post(room + "/kick", grace);
            admin.post(room + "/ban", grace);
            admin.post(room + "/purge", Map.of());
            visit.purgedRoom();
        }
        var file = visit.file();
        if (file != null) {
            admin.call("DELETE", "/v3/admin/media/" + Paths.encoded(file.substring(file.lastIndexOf('/') + 1)), null)
                    .ok();
            visit.tookAway(file);
        }
    }
}
