package rookery.selfcheck;

import java.io.IOException;

/** The server answered, and the answer is not what it has to be. */
final class UnmetException extends IOException {
    UnmetException(String what) {
        super(what);
    }

    static void expect(boolean holds, String otherwise) throws UnmetException {
        if (!holds) {
            throw new UnmetException(otherwise);
        }
    }
}
