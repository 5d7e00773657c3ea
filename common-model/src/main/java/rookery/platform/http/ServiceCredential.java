// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;

/** The header by which a service authenticates itself on {@code /internal/**}. */
@Component
public class ServiceCredential {
    public static final String HEADER = "X-Rookery-Service";

    private static final Duration LIFE = Duration.ofMinutes(10); // clocks of two machines may differ

    private final Signature signature;
    private final Clock clock;

    public ServiceCredential(ServiceKeys keys, Clock clock) {
        this.signature = new Signature("service", keys);
        this.clock = clock;
    }

    /**
     * Signs one request.
     *
     * @param callee the called service, such as {@code room-service}
     * @param path the path of the request, without the query
     */
    public String sign(String callee, HttpMethod method, String path) {
        String expiry = Long.toString(clock.instant().plus(LIFE).toEpochMilli());
        return signature.sign(expiry.getBytes(StandardCharsets.US_ASCII), callee, method, path);
    }

    /** Returns the signing service, or null if the header is not for this request; 503 if the signature has expired. */
    public @Nullable ServiceName verified(String header, HttpMethod method, String path) {
        var signed = signature.verified(header, method, path);
        if (signed == null) {
            return null;
        }
        if (Long.parseLong(new String(signed.content(), StandardCharsets.US_ASCII)) < clock.millis()) {
            throw CallerSignature.expired();
        }
        return signed.by();
    }
}
