// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

import java.util.Arrays;
import java.util.Optional;

/** The room versions that rooms are made with. contract.md 9.3 has their differences. */
public enum RoomVersion {
    V10("10"),
    V11("11"),
    V12("12");

    /** The version of rooms of a tenant without a setting, because room ids of the interface have a server name. */
    public static final RoomVersion DEFAULT = V11;

    public final String id;

    RoomVersion(String id) {
        this.id = id;
    }

    /** Empty for a version that rooms are not made with. */
    public static Optional<RoomVersion> of(String id) {
        return Arrays.stream(values()).filter(version -> version.id.equals(id)).findFirst();
    }

    /** Whether the content of the create event names the creator. */
    public boolean namesCreator() {
        return this == V10;
    }

    /** Whether the room id is the hash of the create event, and creators have more power than any number. */
    public boolean hasUnboundedCreators() {
        return this == V12;
    }
}
