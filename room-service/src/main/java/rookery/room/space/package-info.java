/** Spaces: rooms that list child rooms (contract.md 13.8). */
@NullMarked
package rookery.room.space;

import org.jspecify.annotations.NullMarked;
