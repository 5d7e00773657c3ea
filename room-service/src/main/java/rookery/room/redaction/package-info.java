/** Originals of redacted events: kept for a while, then erased. */
@NullMarked
package rookery.room.redaction;

import org.jspecify.annotations.NullMarked;
