// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set for a tenant. A null setting is that of the services' configuration.
 *
 * @param presence whether the tenant has presence
 * @param delayedEvents whether users may schedule events
 * @param roomVersion the version of rooms whose maker names none
 * @param registration the mode of registration (contract.md 3.3): open, token, email, token-email, approval or closed
 * @param publicUrl the URL at which clients and links in mails reach the tenant
 * @param mailFrom the sender of mails, such as {@code Chat <chat@example.org>}
 * @param tokenInQuery whether a request may have its access token in the query (contract.md 2.3)
 * @param mediaWithoutToken whether the legacy endpoints of media serve without a token (contract.md 4)
 * @param usersMax the most active accounts; null for no limit
 * @param roomsMax the most rooms; null for no limit
 * @param roomMembersMax the most joined members of a room; null for no limit
 * @param mediaBytesMax the most bytes of uploaded files of all users together
 * @param eventsADayMax the most events that users send in a day of UTC; null for no limit
 * @param requestsMax the most requests in a second at all gateways together; null for no limit
 * @param pollsMax the most waiting long polls at each gateway; null for no limit
 */
@JsonInclude(Include.NON_NULL)
public record TenantSettings(
        @Nullable Boolean presence,
        @JsonProperty("delayed_events") @Nullable Boolean delayedEvents,
        @JsonProperty("room_version") @Nullable String roomVersion,
        @Nullable String registration,
        @JsonProperty("public_url") @Nullable URI publicUrl,
        @JsonProperty("mail_from") @Nullable String mailFrom,
        @JsonProperty("token_in_query") @Nullable Boolean tokenInQuery,
        @JsonProperty("media_without_token") @Nullable Boolean mediaWithoutToken,
        @JsonProperty("max_users") @Nullable Long usersMax,
        @JsonProperty("max_rooms") @Nullable Long roomsMax,
        @JsonProperty("max_room_members") @Nullable Long roomMembersMax,
        @JsonProperty("max_media_bytes") @Nullable Long mediaBytesMax,
        @JsonProperty("max_events_per_day") @Nullable Long eventsADayMax,
        @JsonProperty("max_requests_per_second") @Nullable Long requestsMax,
        @JsonProperty("max_polls") @Nullable Long pollsMax) {
    public static final TenantSettings NONE = new TenantSettings(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
}
