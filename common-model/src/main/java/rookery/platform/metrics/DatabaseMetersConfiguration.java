// SPDX-License-Identifier: Apache-2.0
package rookery.platform.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import rookery.platform.sql.LogPool;
import rookery.platform.sql.SilentConnections;

/**
 * Wraps the pool with measurements. Spring Boot's own hook is below the pool, where the wait for a connection is not visible.
 */
@Configuration(proxyBeanMethods = false)
@Import({SilentConnections.class, LogPool.class})
@EnableConfigurationProperties(SilentConnections.Properties.class)
class DatabaseMetersConfiguration {
    @Bean
    static BeanPostProcessor measuredPool(
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<SilentConnections> silent,
            ObjectProvider<LogPool> logPool) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof ConnectionPool pool
                        ? DatabaseMeters.measured(
                                pool, logPool.getObject().beside(pool), meters.getObject(), silent.getObject())
                        : bean;
            }
        };
    }
}
