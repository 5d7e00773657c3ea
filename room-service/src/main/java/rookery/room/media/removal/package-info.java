/**
 * Lists of files for administrators, and deletion of files: by administrators, or after the messages that showed
 * them are redacted.
 */
@NullMarked
package rookery.room.media.removal;

import org.jspecify.annotations.NullMarked;
