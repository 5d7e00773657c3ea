/** Transaction ids of requests and the answers, kept for 24 hours (contract.md 2.7). */
@NullMarked
package rookery.room.transaction;

import org.jspecify.annotations.NullMarked;
