// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

/** An unknown key of the configuration; the message suggests the intended key. */
public final class UnknownKeyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownKeyException(String message) {
        super(message);
    }
}
