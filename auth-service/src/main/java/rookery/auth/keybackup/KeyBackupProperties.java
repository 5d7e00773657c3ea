// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** The maximum size of all key backups of a user; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.key-backup")
record KeyBackupProperties(@DefaultValue("256MB") DataSize bytesMax) {
    private static final DataSize LEAST = DataSize.ofMegabytes(1);

    KeyBackupProperties {
        if (bytesMax.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "rookery.auth.key-backup: set a size of at least 1MB, such as 256MB; smaller sizes are of no use");
        }
    }
}
