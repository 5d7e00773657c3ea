// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An event of the room log.
 *
 * @param endsUnit whether the event ends its unit
 */
record Event(
        long pos,
        String id,
        String type,
        @Nullable String stateKey,
        String sender,
        JsonNode content,
        @Nullable String redacts,
        boolean endsUnit) {
    static final String MEMBER = "m.room.member";

    /** The key of a state event. */
    record Key(String type, String stateKey) {}

    @Nullable
    Key key() {
        return stateKey == null ? null : new Key(type, stateKey);
    }

    boolean isMember() {
        return MEMBER.equals(type) && stateKey != null;
    }

    boolean isMemberOf(String user) {
        return isMember() && user.equals(stateKey);
    }

    String membership() {
        return content.path("membership").asString("");
    }

    @Override
    public String toString() {
        return "%d %s%s %s by %s".formatted(pos, type, stateKey == null ? "" : "|" + stateKey, id, sender);
    }
}
