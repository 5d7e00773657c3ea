// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The shape of an account in Synapse's API. */
final class SynapseUser {
    private SynapseUser() {}

    private static final int MILLIS = 1_000;

    /** Converts an account for an answer outside of lists, where Synapse gives {@code creation_ts} in seconds. */
    static ObjectNode inDetail(ObjectNode account) {
        return of(account).put("creation_ts", account.path("created_at").asLong(0) / MILLIS);
    }

    /**
     * Converts an account of contract.md 5.2. Addresses are absent, because tools send them back as changes. External ids are
     * absent, because Rookery has no single sign-on; there are no guests, types of users and shadow bans.
     */
    static ObjectNode of(ObjectNode account) {
        var user = JsonNodeFactory.instance.objectNode();
        user.set("name", account.path("user_id"));
        user.set("displayname", account.path("display_name"));
        user.set("avatar_url", account.path("avatar_url"));
        user.set("admin", account.path("admin"));
        user.set("deactivated", account.path("deactivated"));
        user.set("locked", account.path("blocked"));
        user.set("suspended", account.path("suspended"));
        user.put("approved", account.path("approved").booleanValue(true));
        user.set("creation_ts", account.path("created_at"));
        user.set("last_seen_ts", account.path("last_seen_ts"));
        return user.put("is_guest", false)
                .put("erased", false)
                .put("shadow_banned", false)
                .putNull("user_type")
                .putNull("appservice_id");
    }
}
