/** Rooms for administrators: lists, kicks, bans and purges on the server's authority (contract.md 5). */
@NullMarked
package rookery.room.administration;

import org.jspecify.annotations.NullMarked;
