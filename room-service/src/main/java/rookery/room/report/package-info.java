/** Reports of events, rooms and users to the administrators of the tenant (contract.md 13.11). */
@NullMarked
package rookery.room.report;

import org.jspecify.annotations.NullMarked;
