/** The typing users of rooms, as known to this node (contract.md 11.2). */
@NullMarked
package rookery.sync.typing;

import org.jspecify.annotations.NullMarked;
