// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.settings.ServiceStart;

/** Auth-service: accounts, sessions, account data, and the user log. */
@SpringBootApplication(scanBasePackages = {"rookery.auth", "rookery.platform"})
@ConfigurationPropertiesScan(basePackages = {"rookery.auth", "rookery.platform"})
@EnableScheduling // deletes expired rows
public class AuthApplication {
    @Bean
    static ReadinessCheck databaseReady(DatabaseClient db) {
        return ReadinessCheck.database(db);
    }

    public static void main(String[] args) {
        ServiceStart.run(AuthApplication.class, "auth-service", args);
    }
}
