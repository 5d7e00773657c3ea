// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

/**
 * A place between two events of a room: directly after position {@code pos} of the room's shard (contract.md 10.2).
 *
 * @param epoch epoch of the room log
 */
public record PageToken(long epoch, int shard, long pos) {}
