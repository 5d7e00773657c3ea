// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The answer to a deactivation (contract.md 3.5). There is no identity server to unbind addresses from. */
public record DeactivationAnswer(
        @JsonProperty("id_server_unbind_result") String unbindResult) {
    static final DeactivationAnswer DONE = new DeactivationAnswer("no-support");
}
