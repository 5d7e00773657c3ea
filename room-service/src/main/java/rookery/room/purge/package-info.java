/** Deletes the rows of purged rooms in portions (contract.md 5.4). */
@NullMarked
package rookery.room.purge;

import org.jspecify.annotations.NullMarked;
