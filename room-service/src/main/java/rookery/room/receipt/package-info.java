/** What users have read: receipts, and the marker that only its user sees (contract.md 11.3). */
@NullMarked
package rookery.room.receipt;

import org.jspecify.annotations.NullMarked;
