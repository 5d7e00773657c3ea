package rookery.admin;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service of administrators and operators; so far it answers the statistics. */
@SpringBootApplication(
        scanBasePackages = {
            "rookery.admin",
            "rookery.platform.health",
            "rookery.platform.http",
            "rookery.platform.instance",
            "rookery.platform.runtime",
            "rookery.platform.tenant" // not .log: what it serves is for the owners of logs
        })
@ConfigurationPropertiesScan(basePackages = {"rookery.admin", "rookery.platform"})
public class AdminApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(AdminApplication.class)
                .properties("spring.config.name=admin-service")
                .run(args);
    }
}
