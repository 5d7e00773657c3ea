/**
 * What users have not read, read from what was counted: for sync nodes and for the number on the icon; and the end of what counts no
 * more (design.md 4).
 */
@NullMarked
package rookery.push.unread;

import org.jspecify.annotations.NullMarked;
