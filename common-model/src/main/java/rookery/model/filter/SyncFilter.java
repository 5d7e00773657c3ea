// SPDX-License-Identifier: Apache-2.0
package rookery.model.filter;

/** A whole filter, as a client saves it or sends it with a sync (contract.md 10.6). */
public record SyncFilter(EventFilter presence, EventFilter accountData, RoomFilter room) {
    public static final SyncFilter ALL = new SyncFilter(EventFilter.ALL, EventFilter.ALL, RoomFilter.ALL);
}
