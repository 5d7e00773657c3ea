// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.settings.ServiceStart;

/** The sync service: {@code /sync} from memory, filters, presence. */
@SpringBootApplication(
        scanBasePackages = {
            "rookery.sync",
            // everything of the platform except the log endpoints, which belong to the owners of the logs
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
            "rookery.platform.transfer"
        })
@ConfigurationPropertiesScan(basePackages = {"rookery.sync", "rookery.platform"})
@EnableScheduling // removes idle users from memory
public class SyncApplication {
    @Bean
    static ReadinessCheck databaseReady(DatabaseClient db) {
        return ReadinessCheck.database(db);
    }

    public static void main(String[] args) {
        ServiceStart.run(SyncApplication.class, "sync-service", args);
    }
}
