// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

/** The launcher did not become ready. */
public final class StartFailedException extends RuntimeException {
    StartFailedException(String message) {
        super(message);
    }
}
