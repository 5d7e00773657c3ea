// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;

/** The content of a response contradicts the contract. */
final class UnmetException extends IOException {
    UnmetException(String message) {
        super(message);
    }

    static void expect(boolean isMet, String message) throws UnmetException {
        if (!isMet) {
            throw new UnmetException(message);
        }
    }
}
