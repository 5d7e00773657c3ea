package rookery.platform.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;

/** For both web servers of a service: found by scanning in its own context, and by its name in that of the management port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class GracefulShutdownConfiguration {
    @Bean
    GracefulShutdownEnd gracefulShutdownEnd() {
        return new GracefulShutdownEnd();
    }
}
