/** Spaces: rooms that name other rooms as theirs (contract.md 13.8). */
@NullMarked
package rookery.room.space;

import org.jspecify.annotations.NullMarked;
