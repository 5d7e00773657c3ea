/** Spaces: rooms that name other rooms as theirs (CONTRACT.md 13.8). */
@NullMarked
package rookery.room.space;

import org.jspecify.annotations.NullMarked;
