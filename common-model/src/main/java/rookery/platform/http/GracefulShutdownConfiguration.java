// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * For both web servers of a service: component scanning finds this class in the service's context, and its name in the management
 * context's imports.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
class GracefulShutdownConfiguration {
    @Bean
    GracefulShutdownEnd gracefulShutdownEnd() {
        return new GracefulShutdownEnd();
    }
}
