/** Brings changes of a user into the user's rooms: profiles, device lists and deactivation. */
@NullMarked
package rookery.room.spreading;

import org.jspecify.annotations.NullMarked;
