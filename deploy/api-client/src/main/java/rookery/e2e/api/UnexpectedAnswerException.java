// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

/** The response has a status or a body with which the caller cannot continue. */
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

    /** Whether a retry may succeed: the server failed, or the rate limit refused the request. */
    public boolean isPassing() {
        return status >= 500 || status == 429;
    }
}
