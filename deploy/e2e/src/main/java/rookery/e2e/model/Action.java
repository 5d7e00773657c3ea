// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import org.jspecify.annotations.Nullable;

/**
 * A request of a client that the server accepted.
 *
 * @param room empty for actions outside of rooms
 * @param eventId the event id of the response or of the referenced event; null for neither
 * @param value the content, depending on the kind
 */
record Action(
        Person person,
        Kind kind,
        String room,
        @Nullable String eventId,
        String subject,
        String value,
        long startNanos,
        long endNanos) {
    /** The kinds of actions that the checks use. */
    enum Kind {
        /** A message; the subject is the root of its thread or empty, the value a word that occurs in no other text. */
        MESSAGE,
        /** State; the subject is the event type, the value a word that occurs in no other text. */
        STATE,
        /** The subject is the redacted event. */
        REDACTION,
        /** A change of a membership. */
        MEMBERSHIP,
        CREATION,
        /** The subject is the type, the value the content. */
        ACCOUNT_DATA,
        /** The value is the list of ignored users, separated by commas. */
        IGNORE,
        /** The subject is the receipt type, followed by a space and the thread, if any. */
        RECEIPT,
        TYPING
    }
}
