// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.session.SessionEnder;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.session.SessionEnder.Only;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Deletes devices of users for admin-service, which has checked the caller's permissions (contract.md 5.7, 5.8). */
@RestController
class DeviceAdministrationApi {
    private final Accounts accounts;
    private final SessionEnder sessions;

    DeviceAdministrationApi(Accounts accounts, SessionEnder sessions) {
        this.accounts = accounts;
        this.sessions = sessions;
    }

    /** When this completes, every gateway refuses the devices' tokens. Unknown devices are no error; M_NOT_FOUND for the user. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/devices/delete")
    Mono<Map<String, Object>> delete(@RequestBody Deletion deletion) {
        var ending = new EndRequest(deletion.tenant, deletion.user, new Only(deletion.devices), () -> Mono.just(true));
        return accounts.exists(deletion.tenant, deletion.user)
                .filter(exists -> exists)
                .switchIfEmpty(Mono.error(Account::unknown))
                .flatMap(_ -> sessions.end(ending))
                .thenReturn(Map.of());
    }

    record Deletion(TenantId tenant, UserId user, List<DeviceId> devices) {}
}
