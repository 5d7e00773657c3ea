// SPDX-License-Identifier: Apache-2.0
package rookery.directory;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.settings.ServiceStart;

/** Names and searches: room aliases, the room directory and the user directory. */
@SpringBootApplication(
        scanBasePackages = {
            "rookery.directory",
            "rookery.platform.disk",
            "rookery.platform.erasure",
            "rookery.platform.health",
            "rookery.platform.http",
            "rookery.platform.instance",
            "rookery.platform.metrics",
            "rookery.platform.person",
            "rookery.platform.runtime",
            "rookery.platform.registry",
            "rookery.platform.tenant",
            "rookery.platform.transfer" // not .log: its endpoints are for services that write logs
        })
@ConfigurationPropertiesScan(basePackages = {"rookery.directory", "rookery.platform"})
@EnableScheduling
public class DirectoryApplication {
    public static void main(String[] args) {
        ServiceStart.run(DirectoryApplication.class, "directory-service", args);
    }

    @Bean
    static ReadinessCheck database(DatabaseClient db) {
        return ReadinessCheck.database(db);
    }
}
