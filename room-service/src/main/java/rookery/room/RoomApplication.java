// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.settings.ServiceStart;

/** Room-service: everything under {@code /rooms}, and the room log. */
@SpringBootApplication(scanBasePackages = {"rookery.room", "rookery.platform"})
@ConfigurationPropertiesScan(basePackages = {"rookery.room", "rookery.platform"})
@EnableScheduling
public class RoomApplication {
    @Bean
    static ReadinessCheck databaseCheck(DatabaseClient db) {
        return ReadinessCheck.database(db);
    }

    public static void main(String[] args) {
        ServiceStart.run(RoomApplication.class, "room-service", args);
    }
}
