// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Maximum number of concurrent large answers of one user; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.heavy")
record HeavyProperties(
        @DefaultValue("8") int downloads, @DefaultValue("4") int reads) {
    HeavyProperties {
        if (downloads < 1) {
            throw new IllegalArgumentException("rookery.heavy.downloads: set a number of at least 1, such as 8");
        }
        if (reads < 1) {
            throw new IllegalArgumentException("rookery.heavy.reads: set a number of at least 1, such as 4");
        }
    }
}
