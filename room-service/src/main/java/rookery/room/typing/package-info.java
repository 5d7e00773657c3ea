/** Who types: told to the sync nodes, and kept nowhere (contract.md 11.2). */
@NullMarked
package rookery.room.typing;

import org.jspecify.annotations.NullMarked;
