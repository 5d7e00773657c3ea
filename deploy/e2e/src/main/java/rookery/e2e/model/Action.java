package rookery.e2e.model;

import org.jspecify.annotations.Nullable;

/**
 * Something that a client did and the server accepted.
 *
 * @param room empty for what is in none
 * @param eventId what was answered, or what it is about; null for neither
 * @param value what was said
 */
record Action(
        Person who,
        Kind kind,
        String room,
        @Nullable String eventId,
        String subject,
        String value,
        long startNanos,
        long endNanos) {
    /** What can be done that the checks look at again. */
    enum Kind {
        /** A message; the subject is the root of its thread or empty, the value a word that stands in no other text. */
        MESSAGE,
        /** State; the subject is the type, the value a word that stands in no other text. */
        STATE,
        /** The subject is the redacted event. */
        REDACTION,
        /** A change of a membership. */
        MEMBERSHIP,
        CREATION,
        /** The subject is the type, the value the content. */
        ACCOUNT_DATA,
        /** The value is whom the user ignores, separated by commas. */
        IGNORE,
        /** The subject is the type and the thread, if any, with a space in between. */
        RECEIPT,
        TYPING
    }
}
