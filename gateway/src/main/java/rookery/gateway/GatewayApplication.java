// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ErrorAnswers;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.MediaProperties;
import rookery.platform.http.PacedAnswers;
import rookery.platform.http.ReadinessWatch;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.instance.InstanceProperties;
import rookery.platform.instance.Instances;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.metrics.NettyMemoryMeters;
import rookery.platform.ratelimit.RateLimitProperties;
import rookery.platform.redis.RedisProperties;
import rookery.platform.registry.TenantFollower;
import rookery.platform.runtime.RuntimeConfiguration;
import rookery.platform.settings.ServiceStart;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.Tenants;

/**
 * The public port. Only the platform beans named here are loaded: the platform's access checks expect a signed caller, and the
 * gateway is where callers are signed.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableConfigurationProperties({
    InternalProperties.class,
    InstanceProperties.class,
    OwnInstanceProperties.class,
    MediaProperties.class,
    RateLimitProperties.class,
    RedisProperties.class,
    TenantProperties.class
})
@Import({
    CallerSignature.class,
    ErrorAnswers.class,
    Instances.class,
    NettyMemoryMeters.class,
    PacedAnswers.class,
    ReadinessWatch.class,
    RuntimeConfiguration.class,
    ServiceClient.class,
    ServiceCredential.class,
    ServiceKeys.class,
    TenantFollower.class,
    Tenants.class
})
@EnableScheduling
public class GatewayApplication {
    public static void main(String[] args) {
        ServiceStart.run(GatewayApplication.class, "gateway", args);
    }
}
