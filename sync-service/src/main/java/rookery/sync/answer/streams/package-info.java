/** The streams of timelines, receipts, typing, account data, presence, keys and messages to devices. */
@NullMarked
package rookery.sync.answer.streams;

import org.jspecify.annotations.NullMarked;
