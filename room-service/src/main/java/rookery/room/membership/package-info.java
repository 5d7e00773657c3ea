/** Memberships: joining, inviting, leaving, kicking, banning (contract.md 8.3). */
@NullMarked
package rookery.room.membership;

import org.jspecify.annotations.NullMarked;
