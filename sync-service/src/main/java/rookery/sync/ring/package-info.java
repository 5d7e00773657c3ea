/** What this node remembers of rooms, and what a reader is told of it; pure. */
@NullMarked
package rookery.sync.ring;

import org.jspecify.annotations.NullMarked;
