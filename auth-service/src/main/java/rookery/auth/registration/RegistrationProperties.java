package rookery.auth.registration;

import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Who may register, and which names are kept; every key is explained in auth-service.yml. */
@ConfigurationProperties("rookery.auth.registration")
record RegistrationProperties(
        @DefaultValue("open") Mode mode,
        @DefaultValue("_.*") Pattern reserved) {
    /** Whether people may make accounts themselves. */
    enum Mode {
        OPEN,
        CLOSED
    }
}
