// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Notices of auth-service about changed sessions (decision 0028); Entrance checks the signature. */
@RestController
class ChangedSessionsApi {
    private final TokenLease lease;

    ChangedSessionsApi(TokenLease lease) {
        this.lease = lease;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/sessions/changed")
    Confirmation changed(@RequestBody Notice notice) {
        boolean isOurs = lease.change(
                notice.leaseId,
                notice.tenant == null || notice.user == null ? null : new TenantUser(notice.tenant, notice.user));
        return new Confirmation(isOurs);
    }

    /** Without a user: auth-service asks whether the gateway is reached before a lease begins. */
    record Notice(
            @JsonProperty("lease_id") String leaseId,
            @Nullable TenantId tenant,
            @Nullable UserId user) {}

    record Confirmation(boolean confirmed) {}
}
