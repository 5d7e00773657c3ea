/**
 * What a connected user has not read, counted here from push-service's counts on, so that an event brings its counts along.
 *
 * <p><b>Who believes what.</b> Push-service counts from both logs and keeps its counts; its word is final, but it may be a moment
 * behind. {@link rookery.sync.unread.UserUnread} holds what this node believes of one user: of all rooms what push-service said last
 * ({@link rookery.sync.unread.WholeAnswer}), and of each room in which something happened since a
 * {@link rookery.sync.unread.RoomUnread}, which is push-service's count as of a position and what this node saw in the log after it,
 * judged by the same rules. A reader believes what they were told last.
 *
 * <p><b>What is in doubt.</b> A room, when something changed that cannot be counted from here: entries that are not in memory any more,
 * a read position or a redaction behind the base. All rooms, when push-service was never asked, or when rules or ignore list changed.
 * What is in doubt is asked of push-service ({@link rookery.sync.unread.UnreadAsker}), which is waited for shortly: if it is away, the
 * event goes out with the counts that are known.
 *
 * <p><b>Who corrects whom.</b> An answer of push-service corrects this node. Where a user was told otherwise before, the room gets the
 * number of a correction ({@link rookery.sync.unread.Corrections}); a reader's token has the number up to which they were told, and
 * their next answer has the rooms after it. A token that was given while something was in doubt says so, and whichever node gets it next
 * tells all rooms once it is certain of them ({@code rookery.sync.answer.counts.CountsMark}).
 */
@NullMarked
package rookery.sync.unread;

import org.jspecify.annotations.NullMarked;
