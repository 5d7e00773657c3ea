// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.TokenOwner;

/**
 * A user of a tenant on one device.
 *
 * @param token the access token; null for a device without a login at the gateway
 */
record Person(
        TenantId tenant,
        ServerName server,
        UserId user,
        DeviceId device,
        @Nullable String token) {
    String id() {
        return user.value();
    }

    TokenOwner owner() {
        return new TokenOwner(tenant, user);
    }

    Person on(DeviceId other) {
        return new Person(tenant, server, user, other, null);
    }

    @Override
    public String toString() {
        return user.value() + "/" + device.value();
    }
}
