/** Sending events and setting state. */
@NullMarked
package rookery.room.event;

import org.jspecify.annotations.NullMarked;
