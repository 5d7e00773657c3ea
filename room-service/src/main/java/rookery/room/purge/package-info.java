/** Removes, in portions, what is left of rooms that an administrator purged (contract.md 5.4). */
@NullMarked
package rookery.room.purge;

import org.jspecify.annotations.NullMarked;
