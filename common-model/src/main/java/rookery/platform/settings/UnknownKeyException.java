package rookery.platform.settings;

/** A key of the configuration that no service knows; the message says which one was meant. */
public final class UnknownKeyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownKeyException(String message) {
        super(message);
    }
}
