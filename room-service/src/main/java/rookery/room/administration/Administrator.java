// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import java.time.Instant;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** An administrator of a tenant, in whose name admin-service calls. */
record Administrator(TenantId tenant, UserId user) {
    private static final DeviceId NO_DEVICE = new DeviceId("ADMINISTRATION");

    /** The administrator as an ordinary user: to read rooms, administrators have no right of their own. */
    Caller caller() {
        var server = new ServerName(user.value().substring(user.value().indexOf(':') + 1));
        return new Caller(tenant, server, new Known(user, NO_DEVICE, false), "", "", Instant.MAX);
    }
}
