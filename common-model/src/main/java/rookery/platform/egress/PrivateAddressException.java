package rookery.platform.egress;

import java.net.ConnectException;

/** A name leads to an address that is not public. */
final class PrivateAddressException extends ConnectException {
    PrivateAddressException() {
        super("the address is not public");
    }
}
