// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;
import rookery.model.event.RoomVersion;

/**
 * The settings of a tenant.
 *
 * @param presence whether the tenant has presence
 * @param delayedEvents whether users may schedule events
 * @param roomVersion the version of rooms whose maker names none
 */
public record TenantSettings(
        boolean presence,
        @JsonProperty("delayed_events") boolean delayedEvents,
        @JsonProperty("room_version") String roomVersion) {
    public static final TenantSettings DEFAULT = new TenantSettings(true, true, RoomVersion.DEFAULT.id);
}
