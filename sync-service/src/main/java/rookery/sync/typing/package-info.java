/** Who types in which room, as far as this node has heard (contract.md 11.2). */
@NullMarked
package rookery.sync.typing;

import org.jspecify.annotations.NullMarked;
