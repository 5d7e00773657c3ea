package rookery.push.gateway;

import java.net.ConnectException;

/** The name of a push gateway leads to an address that pushes are not sent to. */
final class PrivateAddressException extends ConnectException {
    PrivateAddressException() {
        super("the address is not public");
    }
}
