// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import rookery.model.caller.Caller;
import rookery.model.id.TenantId;

/**
 * An administrator of a tenant, or an operator.
 *
 * @param tenant the tenant of the action; {@link #NO_TENANT} if an operator's action has none
 * @param name a user id, or {@code operator:} and the operator's name
 * @param requestId the id of the request in the log
 */
public record Actor(TenantId tenant, String name, String ip, String requestId) {
    /** No tenant has this number. */
    public static final TenantId NO_TENANT = new TenantId(0);

    static Actor of(Caller caller) {
        return new Actor(caller.tenant(), caller.user().value(), caller.ip(), caller.requestId());
    }
}
