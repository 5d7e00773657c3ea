/**
 * The unread counts of connected users, continued from push-service's counts, so that an event and its counts come together.
 *
 * <p><b>State.</b> Push-service counts from both logs and stores its counts. Its counts are final, but may lag a moment behind
 * the log. {@link rookery.sync.unread.UserUnread} keeps the state of one user: push-service's last answer for all rooms ({@link
 * rookery.sync.unread.WholeAnswer}), and for each room with events since then a {@link rookery.sync.unread.RoomUnread}, made of
 * push-service's counts as of a position and of later events, judged by the same rules. A client keeps the last counts received.
 *
 * <p><b>Doubt.</b> A room is in doubt after a change that this node cannot count: entries evicted from memory, a read position or
 * a redaction before the base. All rooms are in doubt before push-service's first answer, and after a change of rules or ignore
 * list. {@link rookery.sync.unread.UnreadAsker} then asks push-service and waits for a short time. If push-service is not
 * available, the answer contains the counts known so far.
 *
 * <p><b>Correction.</b> Push-service's answer replaces the state here. If counts differ from those in an earlier answer to the
 * user, the room gets a correction number ({@link rookery.sync.unread.Corrections}). A token contains the last number that the
 * client received, and the next answer contains the rooms with later numbers. A token given during a doubt contains a mark of the
 * doubt; the next node to get the token sends the counts of all rooms, once certain ({@code
 * rookery.sync.answer.counts.CountsMark}).
 */
@NullMarked
package rookery.sync.unread;

import org.jspecify.annotations.NullMarked;
