// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

/**
 * Where the content of a chosen room begins.
 *
 * @param after the position up to which the client has the room; 0 for the whole room
 * @param membersAfter for a whole room, the position up to which the client has its members, some of which lazy loading may leave
 *     out of the answer; 0 if the client has none
 */
public record RoomStart(long after, long membersAfter) {}
