// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

/** The body of a response is longer than the limit of its reader. */
public final class AnswerTooLongException extends RuntimeException {
    AnswerTooLongException() {
        super("the answer is too long", null, false, false);
    }
}
