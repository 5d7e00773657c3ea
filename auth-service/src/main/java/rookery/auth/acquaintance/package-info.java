/** Who shares a room with whom, as room-service knows. */
@NullMarked
package rookery.auth.acquaintance;

import org.jspecify.annotations.NullMarked;
