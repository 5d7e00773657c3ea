// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Logout of one device or of all (contract.md 3.1); blocked accounts may log out too. */
@RestController
@Access(Level.LOCKED_TOO)
class LogoutApi {
    private final SessionEnder sessions;

    LogoutApi(SessionEnder sessions) {
        this.sessions = sessions;
    }

    @PostMapping("/_api/client/v3/logout")
    Mono<Map<String, Object>> logout(Caller caller) {
        return sessions.end(caller.tenant(), caller.user(), caller.device()).thenReturn(Map.of());
    }

    @PostMapping("/_api/client/v3/logout/all")
    Mono<Map<String, Object>> logoutAll(Caller caller) {
        return sessions.endAll(caller.tenant(), caller.user()).thenReturn(Map.of());
    }
}
