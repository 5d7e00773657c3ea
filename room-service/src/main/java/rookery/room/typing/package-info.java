/** Typing notifications: published to the sync nodes and not stored (contract.md 11.2). */
@NullMarked
package rookery.room.typing;

import org.jspecify.annotations.NullMarked;
