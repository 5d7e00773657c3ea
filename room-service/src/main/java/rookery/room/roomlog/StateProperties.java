// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import rookery.model.id.TenantId;

/** Limits of the state of a room in bytes without member events, 0 for no limit; room-service.yml explains the keys. */
@ConfigurationProperties("rookery.room.state")
record StateProperties(
        @DefaultValue("8MB") DataSize bytesMax,
        @DefaultValue Map<Integer, TenantState> tenants) {
    record TenantState(@DefaultValue("8MB") DataSize bytesMax) {}

    StateProperties {
        require(bytesMax);
        tenants.values().forEach(tenant -> require(tenant.bytesMax));
    }

    private static void require(DataSize size) {
        if (size.isNegative()) {
            throw new IllegalArgumentException(
                    "rookery.room.state.bytes-max: set a size such as 8MB, or 0 for no limit");
        }
    }

    long bytesMax(TenantId tenant) {
        var own = tenants.get(tenant.value());
        long bytes = (own == null ? bytesMax : own.bytesMax).toBytes();
        return bytes == 0 ? Long.MAX_VALUE : bytes;
    }
}
