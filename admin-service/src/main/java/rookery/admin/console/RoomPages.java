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
import rookery.admin.room.RoomReadingApi;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import tools.jackson.databind.JsonNode;

/** The rooms of the tenant, one room, and kicks, bans and the purge. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/rooms")
class RoomPages {
    private final RoomAdministrationApi rooms;
    private final RoomReadingApi reading;
    private final Pages pages;

    RoomPages(RoomAdministrationApi rooms, RoomReadingApi reading, Pages pages) {
        this.rooms = rooms;
        this.reading = reading;
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
                .map(list -> pages.page(exchange, "rooms", ListPage.model(list, asked, "room_id", "f")));
    }

    @GetMapping("/{roomId}")
    Mono<ResponseEntity<String>> show(Caller caller, @PathVariable String roomId, ServerWebExchange exchange) {
        return page(caller, roomId, exchange, "room", Map.of());
    }

    @GetMapping("/{roomId}/members")
    Mono<ResponseEntity<String>> members(
            Caller caller,
            @PathVariable String roomId,
            @RequestParam MultiValueMap<String, String> asked,
            ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        var filter = ListPage.value(asked, "filter");
        query.add("membership", filter.isEmpty() ? "join" : filter);
        return Mono.zip(
                        rooms.find(caller, roomId),
                        ListPage.read(reading.members(caller, roomId, query), MemberList.class))
                .map(found -> {
                    var model = ListPage.model(found.getT2(), asked, "", "");
                    model.put("room", ListPage.as(found.getT1(), Room.class));
                    return pages.page(exchange, "members", model);
                });
    }

    /** The messages that the administrator may read, and a sentence why not otherwise. */
    @GetMapping("/{roomId}/messages")
    Mono<ResponseEntity<String>> messages(
            Caller caller,
            @PathVariable String roomId,
            @RequestParam MultiValueMap<String, String> asked,
            ServerWebExchange exchange) {
        return Mono.zip(
                        rooms.find(caller, roomId),
                        reading.messages(caller, roomId, ListPage.query(asked))
                                .map(answer -> ListPage.as(answer, MessageList.class))
                                .onErrorResume(RoomPages::isUnreadable, _ -> Mono.just(MessageList.UNREADABLE)))
                .map(found -> pages.page(
                        exchange,
                        "messages",
                        Map.of("room", ListPage.as(found.getT1(), Room.class), "list", found.getT2())));
    }

    private static boolean isUnreadable(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_FORBIDDEN;
    }

    /** The page that explains an act on a room, with the form of the act. */
    @GetMapping("/{roomId}/{act}")
    Mono<ResponseEntity<String>> ask(
            Caller caller, @PathVariable String roomId, @PathVariable String act, ServerWebExchange exchange) {
        if (!Set.of("purge", "kick", "ban").contains(act)) {
            throw Pages.unknown();
        }
        var user = ListPage.orEmpty(exchange.getRequest().getQueryParams().getFirst("user_id"));
        return page(caller, roomId, exchange, "room-act", Map.of("act", act, "user", user));
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
            case "purge" -> rooms.purge(caller, roomId).thenReturn(Pages.to(ConsoleCookie.PATH + "/purges", "purged"));
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

    /** A page of members. */
    record MemberList(
            long total,
            List<Member> members,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** A member; the power of the creators of newer rooms has no number. */
    record Member(
            @JsonProperty("user_id") String userId,
            @JsonProperty("display_name") @Nullable String displayName,
            String membership,
            @JsonProperty("power_level") @Nullable Long power,
            @Nullable Boolean creator,
            @JsonProperty("since_ts") @Nullable Long since) {}

    /** A page of events, the newest first. */
    record MessageList(
            @Nullable List<JsonNode> chunk, @Nullable String end) {
        static final MessageList UNREADABLE = new MessageList(null, null);

        /** The events in the form of the page. */
        public List<Message> events() {
            return chunk == null ? List.of() : chunk.stream().map(Message::of).toList();
        }
    }

    /** An event: the text of a message, else the content as JSON. */
    record Message(@Nullable Long sentAt, String sender, String type, String text) {
        static Message of(JsonNode event) {
            var content = event.path("content");
            var body = content.path("body").asString("");
            return new Message(
                    event.path("origin_server_ts").asLong(0),
                    event.path("sender").asString(""),
                    event.path("type").asString(""),
                    body.isEmpty() ? content.toString() : body);
        }
    }

    /** The join rule, the history visibility and the guest access of a room. */
    record StateSummary(
            @JsonProperty("join_rule") @Nullable String joinRule,
            @JsonProperty("history_visibility") @Nullable String historyVisibility,
            @JsonProperty("guest_access") @Nullable String guestAccess,
            @Nullable Map<String, Long> types) {}
}
