/** Upgrades of rooms, and carrying bans, tags and rules over to the new room (contract.md 8.4). */
@NullMarked
package rookery.room.upgrade;

import org.jspecify.annotations.NullMarked;
