/** What is kept of redacted events for a while, and its end. */
@NullMarked
package rookery.room.redaction;

import org.jspecify.annotations.NullMarked;
