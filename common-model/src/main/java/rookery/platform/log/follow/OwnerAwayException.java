package rookery.platform.log.follow;

/** The owner of a log does not answer: what Kafka brings is still passed on, holes wait. */
final class OwnerAwayException extends RuntimeException {
    OwnerAwayException(Throwable cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
