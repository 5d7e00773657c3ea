/** Putting a new room in an old one's place, and bringing what its members had made of the old one (contract.md 8.4). */
@NullMarked
package rookery.room.upgrade;

import org.jspecify.annotations.NullMarked;
