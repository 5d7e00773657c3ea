// SPDX-License-Identifier: Apache-2.0
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
 * @param keys each as {@code name=64 hexadecimal digits}; of two keys with the same name the first signs and both verify
 */
@ConfigurationProperties("rookery.internal")
public record InternalProperties(@DefaultValue List<String> keys) {
    private static final Pattern KEY = Pattern.compile("[a-z>-]+=[0-9a-f]{64}");

    public InternalProperties {
        keys = keys.stream().map(String::strip).toList();
        for (int i = 0; i < keys.size(); i++) {
            if (!KEY.matcher(keys.get(i)).matches()) { // the message omits the entry, because it may be a secret
                throw new IllegalArgumentException(("rookery.internal.keys: entry %d is not a key: write each as"
                                + " gateway>room-service=, then 64 hexadecimal digits, as deploy/compose/secrets does")
                        .formatted(i + 1));
            }
        }
    }

    /** The keys with that name, the signing key first. */
    List<byte[]> named(String name) {
        return keys.stream()
                .filter(key -> key.startsWith(name + "="))
                .map(key -> HexFormat.of().parseHex(key.substring(name.length() + 1)))
                .toList();
    }

    /** The key with that name for signing and sealing. */
    public byte[] required(String name) {
        return named(name).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "rookery.internal.keys: there is no key " + name + ", as deploy/compose/secrets derives it"));
    }

    /** Derives a key for one purpose from the service's own key; a leaked key reveals no other key. */
    public byte[] derived(ServiceName own, String purpose) {
        return new HmacSha256(required(own.title())).of(purpose);
    }

    /** The names of keys that the service needs and the configuration lacks. */
    public List<String> missing(ServiceName service) {
        return service.keyNames().stream().filter(name -> named(name).isEmpty()).toList();
    }

    @Override
    public String toString() {
        return "secrets";
    }
}
