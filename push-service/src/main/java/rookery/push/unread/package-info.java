/**
 * Unread counts, computed from the tables of counting for sync nodes and app icons, and the deletion of old rows (design.md 4).
 */
@NullMarked
package rookery.push.unread;

import org.jspecify.annotations.NullMarked;
