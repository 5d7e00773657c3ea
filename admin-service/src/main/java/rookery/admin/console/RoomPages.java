// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.room.RoomAdministrationApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The rooms of the tenant, one room, and kicks, bans and the purge. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/rooms")
class RoomPages {
    private final RoomAdministrationApi rooms;
    private final Pages pages;

    RoomPages(RoomAdministrationApi rooms, Pages pages) {
        this.rooms = rooms;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        var filter = ListPage.value(asked, "filter");
        if (filter.equals("published")) {
            query.add("published", "true");
        }
        return ListPage.read(rooms.list(caller, query), RoomList.class)
                .map(list -> pages.page(
                        exchange,
                        "rooms",
                        Map.of("list", list, "search", ListPage.value(asked, "search"), "filter", filter)));
    }

    @GetMapping("/{roomId}")
    Mono<ResponseEntity<String>> show(Caller caller, @PathVariable String roomId, ServerWebExchange exchange) {
        return page(caller, roomId, exchange, "room", Map.of());
    }

    /** What will happen, and the form that does it. */
    @GetMapping("/{roomId}/{act}")
    Mono<ResponseEntity<String>> ask(
            Caller caller, @PathVariable String roomId, @PathVariable String act, ServerWebExchange exchange) {
        if (!Set.of("purge", "kick", "ban").contains(act)) {
            throw Pages.unknown();
        }
        return page(caller, roomId, exchange, "room-act", Map.of("act", act));
    }

    private Mono<ResponseEntity<String>> page(
            Caller caller, String roomId, ServerWebExchange exchange, String template, Map<String, String> more) {
        return rooms.find(caller, roomId).map(found -> {
            var model = new HashMap<String, Object>(more);
            model.put("room", ListPage.as(found, Room.class));
            return pages.page(exchange, template, model);
        });
    }

    @PostMapping("/{roomId}/{act}")
    Mono<ResponseEntity<String>> act(Caller caller, @PathVariable String roomId, @PathVariable String act, Form form) {
        var page = PageTexts.INSTANCE.path("rooms", roomId);
        return switch (act) {
            case "kick" ->
                rooms.kick(caller, roomId, UserPages.body(expulsion(form))).thenReturn(Pages.to(page, "kicked"));
            case "ban" ->
                rooms.ban(caller, roomId, UserPages.body(expulsion(form))).thenReturn(Pages.to(page, "banned"));
            case "purge" -> rooms.purge(caller, roomId).thenReturn(Pages.to(ConsoleCookie.PATH + "/rooms", "purged"));
            default -> throw Pages.unknown();
        };
    }

    private static Map<String, String> expulsion(Form form) {
        return form.text("reason").isEmpty()
                ? Map.of("user_id", form.text("user_id"))
                : Map.of("user_id", form.text("user_id"), "reason", form.text("reason"));
    }

    /** A page of rooms. */
    record RoomList(
            long total,
            List<Room> rooms,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** A room (contract.md 5.2). */
    record Room(
            @JsonProperty("room_id") String roomId,
            @Nullable String name,
            @Nullable String topic,
            @JsonProperty("canonical_alias") @Nullable String alias,
            @Nullable String creator,
            @JsonProperty("room_version") @Nullable String version,
            @JsonProperty("room_type") @Nullable String type,
            boolean published,
            boolean encrypted,
            @JsonProperty("created_at") @Nullable Long createdAt,
            @JsonProperty("last_event_ts") @Nullable Long lastEvent,
            @JsonProperty("joined_members") long joined,
            @JsonProperty("invited_members") long invited,
            @JsonProperty("banned_members") long banned,
            @JsonProperty("state_events") long stateEvents,
            @JsonProperty("state_summary") @Nullable StateSummary state) {}

    /** Who may join and who may read. */
    record StateSummary(
            @JsonProperty("join_rule") @Nullable String joinRule,
            @JsonProperty("history_visibility") @Nullable String historyVisibility,
            @JsonProperty("guest_access") @Nullable String guestAccess) {}
}
