/** The presence of connected users, set by syncs and by request (contract.md 13.5). */
@NullMarked
package rookery.sync.online;

import org.jspecify.annotations.NullMarked;
