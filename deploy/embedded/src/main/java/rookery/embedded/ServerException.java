package rookery.embedded;

/** A server that cannot run. The message is one line for the person at the keyboard and says what to do next. */
public final class ServerException extends RuntimeException {
    public ServerException(String message) {
        super(message);
    }

    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
