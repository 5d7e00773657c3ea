// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Random passwords of 192 bits, stored in files that only their owner may read. */
public final class Secrets {
    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    public static String random() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The secret of the file; a missing file is made with a new secret. */
    static String in(Path file) {
        var text = Folders.textOf(file);
        if (text != null) {
            return text.strip();
        }
        var secret = random();
        Folders.writeSecret(file, secret + "\n");
        return secret;
    }
}
