package rookery.platform.egress;

/** A body is longer than its reader takes. */
public final class AnswerTooLongException extends RuntimeException {
    AnswerTooLongException() {
        super("the answer is too long", null, false, false);
    }
}
