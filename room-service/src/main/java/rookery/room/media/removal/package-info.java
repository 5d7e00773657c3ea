/** Which files there are, for administrators, and how they go: at their word, or when the messages that showed them were redacted. */
@NullMarked
package rookery.room.media.removal;

import org.jspecify.annotations.NullMarked;
