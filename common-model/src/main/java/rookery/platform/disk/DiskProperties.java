// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The watched disks and their limits of free space; every key is explained in platform.yml.
 *
 * @param folders a folder on each disk, by the disk's name; PostgreSQL's data are on the same disks
 * @param uploadsBelow uploads are refused while less than this share of a disk is free
 * @param writesBelow all writes are refused while less than this share is free
 * @param interval time between two looks at the disks
 */
@ConfigurationProperties("rookery.disk")
record DiskProperties(
        @DefaultValue Map<String, String> folders,
        @DefaultValue("0.1") double uploadsBelow,
        @DefaultValue("0.05") double writesBelow,
        @DefaultValue("2s") Duration interval) {
    DiskProperties {
        if (!(writesBelow >= 0 && writesBelow <= uploadsBelow && uploadsBelow < 1)) {
            throw new IllegalArgumentException(
                    "rookery.disk: set uploads-below to a share such as 0.1, and writes-below to one that is not above it");
        }
        if (!interval.isPositive()) {
            throw new IllegalArgumentException("rookery.disk.interval: set a time such as 2s");
        }
    }
}
