// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.admin.Local;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/**
 * What Synapse has and Rookery has not, for tools that show an error on a page with other things unless they get the empty answer
 * (contract.md 5.7).
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1")
class SynapseEmptyApi {
    @GetMapping("/experimental_features/{userId}")
    Map<String, Object> experimentalFeatures(Caller caller, @PathVariable String userId) {
        return ofUser(caller, userId, Map.of("features", Map.of()));
    }

    /** Empty: no user has a rate limit. */
    @GetMapping("/users/{userId}/override_ratelimit")
    Map<String, Object> rateLimit(Caller caller, @PathVariable String userId) {
        return ofUser(caller, userId, Map.of());
    }

    @GetMapping("/federation/destinations")
    Map<String, Object> destinations() {
        return Map.of("destinations", List.of(), "total", 0);
    }

    @GetMapping("/scheduled_tasks")
    Map<String, Object> tasks() {
        return Map.of("scheduled_tasks", List.of());
    }

    /** M_INVALID_PARAM for a user of another server. */
    private static Map<String, Object> ofUser(Caller caller, String userId, Map<String, Object> answer) {
        Local.user(caller, userId);
        return answer;
    }
}
