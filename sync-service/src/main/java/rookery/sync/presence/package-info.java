/** The presence of users, as known to this node (contract.md 13.5). */
@NullMarked
package rookery.sync.presence;

import org.jspecify.annotations.NullMarked;
