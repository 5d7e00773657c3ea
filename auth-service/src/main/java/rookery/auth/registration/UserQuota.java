// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * The most accounts of a tenant (contract.md 20). Registrations at the same moment may exceed the limit by their number, because
 * they do not wait for each other.
 */
@Component
class UserQuota {
    private final Tenants tenants;
    private final Accounts accounts;

    UserQuota(Tenants tenants, Accounts accounts) {
        this.tenants = tenants;
        this.accounts = accounts;
    }

    /** M_RESOURCE_LIMIT_EXCEEDED for a tenant without a place for another user. */
    Mono<Void> requirePlace(TenantId tenant) {
        var limit = tenants.setting(tenant, TenantSettings.USERS_MAX);
        return limit == null
                ? Mono.empty()
                : accounts.areBelow(tenant, limit).flatMap(isBelow -> isBelow ? Mono.empty() : Mono.error(full(limit)));
    }

    private static ApiException full(long limit) {
        return new ApiException(
                ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                "this server is for at most %d users and has them: ask its administrators".formatted(limit));
    }
}
