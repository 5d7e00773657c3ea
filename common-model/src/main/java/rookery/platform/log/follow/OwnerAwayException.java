// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

/** The owner of a log does not answer. Records from Kafka are still applied, and holes wait. */
final class OwnerAwayException extends RuntimeException {
    OwnerAwayException(Throwable cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
