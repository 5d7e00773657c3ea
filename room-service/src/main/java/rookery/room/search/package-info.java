/** Search for messages, names and topics by their words (contract.md 13.7). */
@NullMarked
package rookery.room.search;

import org.jspecify.annotations.NullMarked;
