/** Shows changed names and avatars in the rooms of their owners, and takes those who are gone out of them. */
@NullMarked
package rookery.room.spreading;

import org.jspecify.annotations.NullMarked;
