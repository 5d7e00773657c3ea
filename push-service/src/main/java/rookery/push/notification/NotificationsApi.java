// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.push.notification.EventsClient.FoundEvents;
import rookery.push.notification.NotificationRows.ListedSince;
import rookery.push.notification.NotificationRows.Notification;
import rookery.push.notification.NotificationRows.NotificationFilter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A user's notifications, newest first (contract.md 11.5), without events that the user may not see any more. */
@RestController
class NotificationsApi {
    private static final int LISTED_MAX = 1_000;
    private static final int LIMIT = 50;
    private static final int LIMIT_MAX = 100;
    private static final int DIGITS_MAX = 9;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final NotificationRows rows;
    private final EventsClient events;
    private final NotificationProperties properties;
    private final Clock clock;

    NotificationsApi(NotificationRows rows, EventsClient events, NotificationProperties properties, Clock clock) {
        this.rows = rows;
        this.events = events;
        this.properties = properties;
        this.clock = clock;
    }

    @GetMapping("/_api/client/v3/notifications")
    Mono<Page> notifications(
            Caller caller,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String only) {
        var place = PageEnd.of(from);
        var filter = only(only);
        int most = Math.min(limit(limit), LISTED_MAX - place.listed());
        if (most <= 0) {
            return Mono.just(new Page(List.of(), null));
        }
        var since = new ListedSince(ago(properties.keepFor()), ago(properties.keepHighlightsFor()));
        return rows.find(caller.tenant(), caller.user(), filter, place, since, most + 1)
                .flatMap(notifications -> page(caller, notifications, place, most));
    }

    private Mono<Page> page(Caller caller, List<Notification> notifications, PageEnd from, int most) {
        var requested = notifications.subList(0, Math.min(most, notifications.size()));
        return events.find(caller, requested)
                .map(events -> page(notifications, requested.subList(0, events.looked()), events, from));
    }

    private static Page page(
            List<Notification> notifications, List<Notification> shown, FoundEvents events, PageEnd from) {
        int listed = from.listed() + shown.size();
        var next = notifications.size() > shown.size() && listed < LISTED_MAX ? next(shown.getLast(), listed) : null;
        return new Page(items(shown, events.byId()), next);
    }

    private static String next(Notification last, int listed) {
        return new PageEnd(last.ts(), last.room().value(), last.pos(), listed).token();
    }

    private static List<Item> items(List<Notification> shown, Map<String, JsonNode> texts) {
        var items = new ArrayList<Item>();
        for (var notification : shown) {
            if (texts.get(notification.event().value()) instanceof ObjectNode event) {
                event.remove("room_id");
                var actions = JSON.readTree(notification.actionsJson());
                items.add(new Item(actions, event, notification.read(), notification.room(), notification.ts()));
            }
        }
        return items;
    }

    private static NotificationFilter only(@Nullable String only) {
        return switch (only) {
            case null -> NotificationFilter.EVERYTHING;
            case "highlight" -> NotificationFilter.HIGHLIGHT;
            case "unread" -> NotificationFilter.UNREAD;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "only is highlight or unread");
        };
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return LIMIT;
        }
        if (!text.matches("0*[0-9]+")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a limit is an integer, and at least 1");
        }
        var digits = text.replaceFirst("^0+", "");
        if (digits.isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a limit is at least 1");
        }
        return digits.length() > DIGITS_MAX ? LIMIT_MAX : Math.min(LIMIT_MAX, Integer.parseInt(digits));
    }

    private long ago(Duration age) {
        return clock.instant().minus(age).toEpochMilli();
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Page(
            List<Item> notifications,
            @JsonProperty("next_token") @Nullable String nextToken) {}

    record Item(
            JsonNode actions,
            JsonNode event,
            boolean read,
            @JsonProperty("room_id") RoomId roomId,
            long ts) {}
}
