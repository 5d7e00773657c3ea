package rookery.auth.device;

import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A device of a user of a tenant. */
public record TenantDevice(TenantId tenant, UserId user, DeviceId device) {
    /** The caller's device. */
    public static TenantDevice of(Caller caller) {
        return new TenantDevice(caller.tenant(), caller.user(), caller.device());
    }
}
