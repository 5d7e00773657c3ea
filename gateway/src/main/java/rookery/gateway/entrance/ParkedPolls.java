// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Destination.Kind;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * Limits the parked long polls of each user (contract.md 10.7) and, if operators have set so, of each tenant (20). Excess polls are refused and parked polls continue: a client
 * repeats an ended poll immediately, so ending the oldest poll would keep all polls of the user ending each other.
 */
@Component
class ParkedPolls {
    private static final int RETRY_SECONDS = 5;

    private final Tenants tenants;
    private final Slots<UserId> ofUsers;
    private final Slots<TenantId> ofTenants;

    ParkedPolls(PollProperties properties, Tenants tenants) {
        this.tenants = tenants;
        ofUsers = new Slots<>(
                properties.ofUserMax(), () -> tooMany("too many requests of this user wait for news already"));
        ofTenants = new Slots<>(
                Integer.MAX_VALUE,
                () -> tooMany(
                        "too many users of this server wait for news already (max_polls): ask its administrators"));
    }

    /** The request; a long poll takes a slot of its user and its tenant until the end; 429 if no slot is free. */
    Mono<Void> within(Kind kind, @Nullable Tenant tenant, Identity identity, Mono<Void> request) {
        if (kind != Kind.LONG_POLL || tenant == null || !(identity instanceof Known known)) {
            return request;
        }
        var most = tenants.setting(tenant.id(), TenantSettings.POLLS_MAX);
        var ofUser = ofUsers.within(known.user(), request);
        return most == null ? ofUser : ofTenants.within(tenant.id(), most, ofUser);
    }

    private static ApiException tooMany(String message) {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, message)
                .with("retry_after_ms", RETRY_SECONDS * 1000)
                .withRetryAfter(RETRY_SECONDS);
    }
}
