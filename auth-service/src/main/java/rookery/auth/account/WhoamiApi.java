// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/** The user and device of the access token (contract.md 3.5). */
@RestController
class WhoamiApi {
    @GetMapping("/_api/client/v3/account/whoami")
    Whoami whoami(Caller caller) {
        return new Whoami(caller.user(), caller.device(), false);
    }

    record Whoami(
            @JsonProperty("user_id") UserId user,
            @JsonProperty("device_id") DeviceId device,
            @JsonProperty("is_guest") boolean guest) {}
}
