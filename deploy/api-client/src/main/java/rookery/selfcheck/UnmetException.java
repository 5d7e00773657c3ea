package rookery.selfcheck;

import java.io.IOException;

/** The content of a response contradicts the contract. */
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
