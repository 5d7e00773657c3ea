// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

/** A server cannot run. The message is one line for the operator, with the remedy. */
public final class ServerException extends RuntimeException {
    public ServerException(String message) {
        super(message);
    }

    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
