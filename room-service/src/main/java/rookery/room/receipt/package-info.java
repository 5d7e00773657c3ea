/** Receipts, and the private fully-read marker (contract.md 11.3). */
@NullMarked
package rookery.room.receipt;

import org.jspecify.annotations.NullMarked;
