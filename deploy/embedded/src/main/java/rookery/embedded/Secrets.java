package rookery.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords that nobody has to remember: 192 random bits, kept in a file that only its owner may read. */
public final class Secrets {
    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    public static String random() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The secret in the file; made and written when there is no such file. */
    static String in(Path file) {
        var kept = Folders.textOf(file);
        if (kept != null) {
            return kept.strip();
        }
        var made = random();
        Folders.writeSecret(file, made + "\n");
        return made;
    }
}
