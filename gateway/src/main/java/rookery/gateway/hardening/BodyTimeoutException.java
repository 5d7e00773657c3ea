// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import java.io.IOException;

/** The client did not send the body of its request in time. */
public final class BodyTimeoutException extends IOException {
    BodyTimeoutException() {
        super("the body of a request did not come in time");
    }
}
