// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A device of a user of a tenant. */
public record TenantDevice(TenantId tenant, UserId user, DeviceId device) {
    /** Binds the parameters tenant, user and device of a statement. */
    public GenericExecuteSpec bindTo(GenericExecuteSpec sql) {
        return sql.bind("tenant", tenant).bind("user", user).bind("device", device);
    }

    /** The caller's device. */
    public static TenantDevice of(Caller caller) {
        return new TenantDevice(caller.tenant(), caller.user(), caller.device());
    }
}
