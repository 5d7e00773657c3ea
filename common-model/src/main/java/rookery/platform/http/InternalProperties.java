package rookery.platform.http;

import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.crypto.HmacSha256;

/**
 * The keys of this process; explained in platform.yml.
 *
 * @param keys each as {@code name=64 hexadecimal digits}; of two with the same name the first one signs and both are accepted
 */
@ConfigurationProperties("rookery.internal")
public record InternalProperties(@DefaultValue List<String> keys) {
    private static final Pattern KEY = Pattern.compile("[a-z>-]+=[0-9a-f]{64}");

    public InternalProperties {
        keys = keys.stream().map(String::strip).toList();
        for (int i = 0; i < keys.size(); i++) {
            if (!KEY.matcher(keys.get(i)).matches()) { // what it is instead is not said: it may be a secret
                throw new IllegalArgumentException(("rookery.internal.keys: entry %d is not a key: write each as"
                                + " gateway>room-service=, then 64 hexadecimal digits, as deploy/compose/secrets does")
                        .formatted(i + 1));
            }
        }
    }

    /** The keys of that name, the one to sign with first. */
    List<byte[]> named(String name) {
        return keys.stream()
                .filter(key -> key.startsWith(name + "="))
                .map(key -> HexFormat.of().parseHex(key.substring(name.length() + 1)))
                .toList();
    }

    /** The key of that name to sign and to seal with. */
    public byte[] required(String name) {
        return named(name).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "rookery.internal.keys: there is no key " + name + ", as deploy/compose/secrets derives it"));
    }

    /** From the key that is this service's own, one for one purpose: who learns it has learned none of the others. */
    public byte[] derived(ServiceName own, String purpose) {
        return new HmacSha256(required(own.title())).of(purpose);
    }

    /** The keys that a service needs and that are not there. */
    public List<String> missing(ServiceName service) {
        return service.keyNames().stream().filter(name -> named(name).isEmpty()).toList();
    }

    @Override
    public String toString() {
        return "secrets";
    }
}
