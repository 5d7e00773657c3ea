// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import java.nio.file.Files;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads the free space of the real disks. */
@Configuration(proxyBeanMethods = false)
class DiskConfiguration {
    @Bean
    static FreeSpace freeSpace() {
        return folder -> {
            var disk = Files.getFileStore(folder);
            long total = disk.getTotalSpace();
            return total > 0 ? (double) disk.getUsableSpace() / total : Double.NaN;
        };
    }
}
