/** Sliding sync (MSC4186, contract.md 10.9): lists of rooms and the content of the rooms in their windows. */
@NullMarked
package rookery.sync.sliding;

import org.jspecify.annotations.NullMarked;
