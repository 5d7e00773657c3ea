/** The transaction ids of requests and what was answered to them, for 24 hours (contract.md 2.7). */
@NullMarked
package rookery.room.transaction;

import org.jspecify.annotations.NullMarked;
