// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.RoomVersion;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.TenantSettings;

/** The change of a tenant's settings by the body of a request (contract.md 20). */
final class SettingsChange {
    private static final List<String> REGISTRATIONS =
            List.of("open", "token", "email", "token-email", "approval", "closed");
    /** What mail servers accept without quoting. */
    private static final Pattern SENDER = Pattern.compile(
            "(?:[A-Za-z0-9 ._-]{1,100} <[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}>|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253})");

    private static final int URL_LENGTH_MAX = 2_048;

    private SettingsChange() {}

    /** The settings after the change; absent settings stay as they are. M_INVALID_PARAM. */
    static TenantSettings of(TenantSettings before, JsonBody body) {
        var version = body.optionalString("room_version");
        if (version != null && RoomVersion.of(version).isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "room_version is 10, 11 or 12");
        }
        return new TenantSettings(
                orBefore(body.optionalBool("presence"), before.presence()),
                orBefore(body.optionalBool("delayed_events"), before.delayedEvents()),
                orBefore(version, before.roomVersion()),
                registration(before, body),
                publicUrl(before, body),
                mailFrom(before, body),
                orBefore(body.optionalBool("token_in_query"), before.tokenInQuery()),
                orBefore(body.optionalBool("media_without_token"), before.mediaWithoutToken()),
                limit(body, "max_users", before.usersMax()),
                limit(body, "max_rooms", before.roomsMax()),
                limit(body, "max_room_members", before.roomMembersMax()),
                limit(body, "max_media_bytes", before.mediaBytesMax()),
                limit(body, "max_events_per_day", before.eventsADayMax()),
                limit(body, "max_requests_per_second", before.requestsMax()),
                limit(body, "max_polls", before.pollsMax()));
    }

    /** 0 stands for no limit. */
    private static @Nullable Long limit(JsonBody body, String name, @Nullable Long before) {
        var most = body.optionalInteger(name);
        if (most != null && most < 0) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, name + " is 0 for no limit, or more");
        }
        return most == null ? before : most == 0 ? null : most;
    }

    private static <T> @Nullable T orBefore(@Nullable T value, @Nullable T before) {
        return value == null ? before : value;
    }

    /** An empty text stands for the configuration's mode. */
    private static @Nullable String registration(TenantSettings before, JsonBody body) {
        var mode = body.optionalString("registration");
        if (mode == null || mode.isEmpty()) {
            return mode == null ? before.registration() : null;
        }
        if (!REGISTRATIONS.contains(mode)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "registration is one of " + REGISTRATIONS);
        }
        return mode;
    }

    /** An empty text stands for the configuration's sender. */
    private static @Nullable String mailFrom(TenantSettings before, JsonBody body) {
        var text = body.optionalString("mail_from");
        if (text == null || text.isEmpty()) {
            return text == null ? before.mailFrom() : null;
        }
        if (!SENDER.matcher(text).matches()) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM,
                    "mail_from is a sender such as Chat <chat@example.org>, or chat@example.org");
        }
        return text;
    }

    /** An empty text stands for the configuration's URL. */
    private static @Nullable URI publicUrl(TenantSettings before, JsonBody body) {
        var text = body.optionalString("public_url");
        if (text == null || text.isEmpty()) {
            return text == null ? before.publicUrl() : null;
        }
        try {
            var url = new URI(text);
            if (text.length() <= URL_LENGTH_MAX
                    && url.getHost() != null
                    && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
                return url;
            }
        } catch (URISyntaxException _) {
            // refused below
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "public_url is a URL such as https://chat.example");
    }
}
