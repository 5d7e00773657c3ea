/** The client of room-service for users with common rooms. */
@NullMarked
package rookery.auth.acquaintance;

import org.jspecify.annotations.NullMarked;
