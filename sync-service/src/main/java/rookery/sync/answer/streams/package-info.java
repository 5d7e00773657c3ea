/** The streams of a sync answer, each a {@link rookery.sync.answer.SyncStream}: timelines, receipts, typing, account data, presence, keys. */
@NullMarked
package rookery.sync.answer.streams;

import org.jspecify.annotations.NullMarked;
