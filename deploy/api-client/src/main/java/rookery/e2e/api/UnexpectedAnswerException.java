package rookery.e2e.api;

/** The server answered something else than the journey needs to go on. */
public final class UnexpectedAnswerException extends RuntimeException {
    private final int status;

    UnexpectedAnswerException(Answer answer) {
        super(answer.toString());
        this.status = answer.status();
    }

    UnexpectedAnswerException(Answer answer, Exception cause) {
        super(answer.toString(), cause);
        this.status = answer.status();
    }

    /** Whether the same request may have another answer later: the server is in trouble, or we are too many. */
    public boolean isPassing() {
        return status >= 500 || status == 429;
    }
}
