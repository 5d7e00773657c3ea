/** Brings changes of a user into the user's rooms: profiles and device lists. */
@NullMarked
package rookery.room.spreading;

import org.jspecify.annotations.NullMarked;
