// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The shape of a room in Synapse's API. */
final class SynapseRoom {
    private SynapseRoom() {}

    /** Converts a room of contract.md 5.2. All members are of this server, and no others can join. */
    static ObjectNode of(JsonNode room) {
        var summary = room.path("state_summary");
        var shape = JsonNodeFactory.instance.objectNode();
        shape.set("room_id", room.path("room_id"));
        shape.set("name", room.path("name"));
        shape.set("canonical_alias", room.path("canonical_alias"));
        shape.set("joined_members", room.path("joined_members"));
        shape.set("joined_local_members", room.path("joined_members"));
        shape.set("version", room.path("room_version"));
        shape.set("creator", room.path("creator"));
        shape.set("encryption", summary.path("encryption_algorithm"));
        shape.put("federatable", false);
        shape.set("public", room.path("published"));
        shape.set("join_rules", summary.path("join_rule"));
        shape.set("guest_access", summary.path("guest_access"));
        shape.set("history_visibility", summary.path("history_visibility"));
        shape.set("state_events", room.path("state_events"));
        shape.set("room_type", room.path("room_type"));
        return shape;
    }

    /** Also with topic and avatar. */
    static ObjectNode inDetail(JsonNode room) {
        var shape = of(room);
        shape.set("topic", room.path("topic"));
        shape.set("avatar", room.path("avatar_url"));
        return shape;
    }
}
