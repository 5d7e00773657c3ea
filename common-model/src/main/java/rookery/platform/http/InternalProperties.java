package rookery.platform.http;

import java.nio.charset.StandardCharsets;
import org.springframework.boot.context.properties.ConfigurationProperties;
import rookery.model.crypto.HmacSha256;

/** The installation's secret, from which the keys of callers, services and tokens are derived; see platform.yml. */
@ConfigurationProperties("rookery.internal")
public record InternalProperties(String key) {
    private static final int CHARS_MIN = 32;

    public InternalProperties {
        if (key.length() < CHARS_MIN) {
            throw new IllegalArgumentException("rookery.internal.key: set a random secret of at least " + CHARS_MIN
                    + " characters, the same for all services");
        }
    }

    /** A key for one purpose only: who learns it has learned none of the others. */
    public byte[] derived(String purpose) {
        return new HmacSha256(key.getBytes(StandardCharsets.UTF_8)).of(purpose);
    }
}
