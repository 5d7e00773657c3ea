// SPDX-License-Identifier: Apache-2.0
package rookery.admin;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.settings.ServiceStart;

/** Administration of a tenant's users, rooms, media and reports, with an audit record for each action, and statistics. */
@SpringBootApplication(
        scanBasePackages = {
            "rookery.admin",
            "rookery.platform.disk",
            "rookery.platform.erasure",
            "rookery.platform.health",
            "rookery.platform.http",
            "rookery.platform.instance",
            "rookery.platform.metrics",
            "rookery.platform.person",
            "rookery.platform.runtime",
            "rookery.platform.tenant",
            "rookery.platform.transfer" // not .log: its endpoints are for services that write logs
        },
        // admin-service neither writes nor reads Kafka records and has no key for them
        excludeName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConfigurationPropertiesScan(basePackages = {"rookery.admin", "rookery.platform"})
@EnableScheduling
public class AdminApplication {
    public static void main(String[] args) {
        ServiceStart.run(AdminApplication.class, "admin-service", args);
    }

    @Bean
    static ReadinessCheck database(DatabaseClient db) {
        return ReadinessCheck.database(db);
    }
}
