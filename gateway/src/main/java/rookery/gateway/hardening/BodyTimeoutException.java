package rookery.gateway.hardening;

import java.io.IOException;

/** A client did not send the body of its request in the time it has. */
public final class BodyTimeoutException extends IOException {
    BodyTimeoutException() {
        super("the body of a request did not come in time");
    }
}
