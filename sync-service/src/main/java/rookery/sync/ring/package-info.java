/** Recent events and receipts of rooms in memory, and reading them for a user. Without I/O. */
@NullMarked
package rookery.sync.ring;

import org.jspecify.annotations.NullMarked;
