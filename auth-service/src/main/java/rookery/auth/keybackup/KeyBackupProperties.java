// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import rookery.model.id.TenantId;

/** The maximum size of all key backups of a user, in general and by tenant; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.key-backup")
record KeyBackupProperties(
        @DefaultValue("256MB") DataSize bytesMax,
        @DefaultValue Map<Integer, DataSize> tenants) {
    private static final DataSize LEAST = DataSize.ofMegabytes(1);

    KeyBackupProperties {
        requireEnough(bytesMax);
        tenants.values().forEach(KeyBackupProperties::requireEnough);
    }

    private static void requireEnough(DataSize size) {
        if (size.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "rookery.auth.key-backup: set sizes of at least 1MB, such as 256MB; smaller sizes are of no use");
        }
    }

    DataSize bytesMax(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), bytesMax);
    }
}
