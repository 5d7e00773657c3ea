// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

import java.net.ConnectException;

/** The host's address is not public. */
final class PrivateAddressException extends ConnectException {
    PrivateAddressException() {
        super("the address is not public");
    }
}
