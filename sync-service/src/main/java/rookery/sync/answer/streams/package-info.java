/**
 * Timelines, receipts, typing, account data, presence, keys, messages to devices: each a {@link rookery.sync.answer.SyncStream}.
 */
@NullMarked
package rookery.sync.answer.streams;

import org.jspecify.annotations.NullMarked;
