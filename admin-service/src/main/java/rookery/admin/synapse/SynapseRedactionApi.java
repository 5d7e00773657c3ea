// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.room.UserRedactionApi;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/** Redacts the messages of a user (contract.md 5.7). */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1/user")
class SynapseRedactionApi {
    private final UserRedactionApi redactions;

    SynapseRedactionApi(UserRedactionApi redactions) {
        this.redactions = redactions;
    }

    /** M_INVALID_PARAM for a period, which would leave out messages that are not left out. */
    @PostMapping("/{userId}/redact")
    Mono<ObjectNode> redact(Caller caller, @PathVariable String userId, JsonBody body) {
        if (body.optionalInteger("after_ts") != null || body.optionalInteger("before_ts") != null) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "messages of a period are not redacted separately");
        }
        return redactions.redact(caller, userId, body);
    }

    /** Synapse's word for the end is {@code completed}. */
    @GetMapping("/redact_status/{redactId}")
    Mono<ObjectNode> status(Caller caller, @PathVariable String redactId) {
        return redactions
                .find(caller, redactId)
                .map(found -> found.path("status").asString("").equals("complete")
                        ? found.put("status", "completed")
                        : found);
    }
}
