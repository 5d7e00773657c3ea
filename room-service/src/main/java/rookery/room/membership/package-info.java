/** Memberships: joining, inviting, leaving, kicking, banning, and leaving all rooms at a deactivation (contract.md 5.3, 8.3). */
@NullMarked
package rookery.room.membership;

import org.jspecify.annotations.NullMarked;
