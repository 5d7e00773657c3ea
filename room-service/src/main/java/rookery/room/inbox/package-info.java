/** What the user log tells this service: how users are shown, and whom they ignore. */
@NullMarked
package rookery.room.inbox;

import org.jspecify.annotations.NullMarked;
