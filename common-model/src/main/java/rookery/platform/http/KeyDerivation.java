// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Derives the keys of an installation from its master secret, which no service has: HKDF-SHA256 without salt over the key's name.
 * {@code deploy/compose/secrets} derives the same keys with tools of every Linux.
 */
public final class KeyDerivation {
    private static final int KEY_BYTES = 32;

    private KeyDerivation() {}

    /** Derives the key with that name, such as {@code gateway>room-service}. */
    public static byte[] derived(String master, String name) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(master.getBytes(StandardCharsets.UTF_8))
                            .thenExpand(name.getBytes(StandardCharsets.UTF_8), KEY_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The value of {@code rookery.internal.keys} of a service. */
    public static List<String> keysOf(ServiceName service, String master) {
        return service.keyNames().stream()
                .map(name -> name + "=" + HexFormat.of().formatHex(derived(master, name)))
                .toList();
    }
}
