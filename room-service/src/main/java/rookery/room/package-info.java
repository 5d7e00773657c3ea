/** The service itself. */
@NullMarked
package rookery.room;

import org.jspecify.annotations.NullMarked;
