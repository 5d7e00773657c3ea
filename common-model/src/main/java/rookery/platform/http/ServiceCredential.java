package rookery.platform.http;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** The header by which a service proves on {@code /internal/**} that it belongs to this installation. */
@Component
public class ServiceCredential {
    public static final String HEADER = "X-Rookery-Service";

    private static final Duration LIFE = Duration.ofMinutes(10); // clocks of two machines may differ

    private final Signature signature;
    private final Clock clock;

    public ServiceCredential(InternalProperties properties, Clock clock) {
        this.signature = new Signature(properties.derived("service"));
        this.clock = clock;
    }

    public String sign() {
        String expiry = Long.toString(clock.instant().plus(LIFE).toEpochMilli());
        return signature.sign(expiry.getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether a service of this installation has made it; 503 if that was too long ago. */
    public boolean isGenuine(String header) {
        byte[] content = signature.verified(header);
        if (content == null) {
            return false;
        }
        if (Long.parseLong(new String(content, StandardCharsets.US_ASCII)) < clock.millis()) {
            throw CallerSignature.expired();
        }
        return true;
    }
}
