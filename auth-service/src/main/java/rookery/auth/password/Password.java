package rookery.auth.password;

import java.nio.charset.StandardCharsets;
import rookery.auth.text.WholeText;

/** A password as somebody typed it; it must never reach a log, so its text form says nothing. */
public record Password(String value) {
    private static final int BYTES_MAX = 512;

    public Password {
        WholeText.of(value, "the password");
    }

    /** Whether nobody can have it: longer ones are not hashed at all. */
    boolean isTooLong() {
        return bytes() > BYTES_MAX;
    }

    int bytes() {
        return value.length() > BYTES_MAX ? value.length() : value.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
        return "Password";
    }
}
