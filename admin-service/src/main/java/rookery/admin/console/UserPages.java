// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.person.PersonDataApi;
import rookery.admin.room.RoomReadingApi;
import rookery.admin.room.UserRedactionApi;
import rookery.admin.user.AccountClient;
import rookery.admin.user.AccountModerationApi;
import rookery.admin.user.UserAdministrationApi;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The accounts of the tenant, one account, and the acts on an account. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/users")
class UserPages {
    private static final Set<String> FILTERS = Set.of("admin", "deactivated", "blocked", "suspended");
    private static final String WAITING = "waiting";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserAdministrationApi users;
    private final AccountModerationApi moderation;
    private final PersonDataApi persons;
    private final RoomReadingApi rooms;
    private final UserRedactionApi redactions;
    private final AccountClient accounts;
    private final Audit audit;
    private final Pages pages;

    UserPages(
            UserAdministrationApi users,
            AccountModerationApi moderation,
            PersonDataApi persons,
            RoomReadingApi rooms,
            UserRedactionApi redactions,
            AccountClient accounts,
            Audit audit,
            Pages pages) {
        this.users = users;
        this.moderation = moderation;
        this.persons = persons;
        this.rooms = rooms;
        this.redactions = redactions;
        this.accounts = accounts;
        this.audit = audit;
        this.pages = pages;
    }

    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        var filter = ListPage.value(asked, "filter");
        if (FILTERS.contains(filter)) {
            query.add(filter, "true");
        }
        if (filter.equals(WAITING)) {
            query.add("approved", "false");
        }
        return ListPage.read(users.list(caller, query), UserList.class)
                .map(list -> pages.page(exchange, "users", ListPage.model(list, asked, "user_id", "f")));
    }

    @GetMapping("/{userId}")
    Mono<ResponseEntity<String>> show(Caller caller, @PathVariable String userId, ServerWebExchange exchange) {
        return Mono.zip(
                        users.find(caller, userId),
                        users.whois(caller, userId),
                        rooms.roomsOfUser(caller, userId),
                        users.threepids(caller, userId))
                .map(found -> {
                    var user = ListPage.as(found.getT1(), User.class);
                    var whois = ListPage.as(found.getT2(), Whois.class);
                    var joined = ListPage.as(found.getT3(), JoinedRooms.class).rooms;
                    boolean isOneself = user.userId.equals(caller.user().value());
                    var model = Map.of(
                            "user",
                            user,
                            "devices",
                            whois.devices.values(),
                            "addresses",
                            ListPage.as(found.getT4(), Addresses.class).threepids,
                            "rooms",
                            joined.subList(0, Math.min(joined.size(), ListPage.ROWS)),
                            "roomCount",
                            joined.size(),
                            "oneself",
                            isOneself);
                    return pages.page(exchange, "user", model);
                });
    }

    /** The page that explains an act on an account, with the form of the act. */
    @GetMapping("/{userId}/{act}")
    Mono<ResponseEntity<String>> ask(
            Caller caller, @PathVariable String userId, @PathVariable String act, ServerWebExchange exchange) {
        if (!Set.of("deactivate", "password", "block", "promote", "demote", "redact")
                .contains(act)) {
            throw Pages.unknown();
        }
        return users.find(caller, userId)
                .map(found ->
                        pages.page(exchange, "user-act", Map.of("user", ListPage.as(found, User.class), "act", act)));
    }

    @GetMapping("/{userId}/data")
    Mono<Void> data(Caller caller, @PathVariable String userId, ServerWebExchange exchange) {
        return persons.data(caller, userId, exchange);
    }

    @PostMapping("/{userId}/{act}")
    Mono<ResponseEntity<String>> act(Caller caller, @PathVariable String userId, @PathVariable String act, Form form) {
        var page = PageTexts.INSTANCE.path("users", userId);
        return switch (act) {
            case "approve" -> users.approve(caller, userId).thenReturn(Pages.to(page, "approved"));
            case "block" -> users.block(caller, userId).thenReturn(Pages.to(page, "blocked"));
            case "unblock" -> users.unblock(caller, userId).thenReturn(Pages.to(page, "unblocked"));
            case "suspend" ->
                moderation
                        .suspend(caller, userId, body(Map.of("suspended", true)))
                        .thenReturn(Pages.to(page, "suspended"));
            case "unsuspend" ->
                moderation
                        .suspend(caller, userId, body(Map.of("suspended", false)))
                        .thenReturn(Pages.to(page, "unsuspended"));
            case "promote" ->
                users.setAdmin(caller, userId, body(Map.of("admin", true))).thenReturn(Pages.to(page, "promoted"));
            case "demote" ->
                users.setAdmin(caller, userId, body(Map.of("admin", false))).thenReturn(Pages.to(page, "demoted"));
            case "password" ->
                users.resetPassword(caller, userId, newPassword(form)).thenReturn(Pages.to(page, "password"));
            case "deactivate" ->
                users.deactivate(caller, userId, body(Map.of("erase", form.isChecked("erase"))))
                        .thenReturn(Pages.to(page, "deactivated"));
            case "redact" ->
                redactions
                        .redact(caller, userId, body(Map.of("reason", form.text("reason"))))
                        .thenReturn(Pages.to(page, "redacting"));
            case "sign-out-device" ->
                signOut(caller, userId, form.text("device")).thenReturn(Pages.to(page, "device"));
            default -> throw Pages.unknown();
        };
    }

    private Mono<ObjectNode> signOut(Caller caller, String userId, String device) {
        var user = Local.user(caller, userId);
        return audit.recorded(
                caller,
                "sign out device",
                userId + " " + device,
                accounts.deleteDevices(caller.tenant(), user, List.of(new DeviceId(device))));
    }

    private static JsonBody newPassword(Form form) {
        return body(
                Map.of("new_password", form.raw("new_password"), "logout_devices", form.isChecked("logout_devices")));
    }

    static JsonBody body(Map<String, ?> fields) {
        return new JsonBody(JSON.valueToTree(fields));
    }

    /** A page of accounts. */
    record UserList(
            long total,
            List<User> users,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** An account (contract.md 5.2). */
    record User(
            @JsonProperty("user_id") String userId,
            @JsonProperty("display_name") @Nullable String displayName,
            boolean admin,
            boolean deactivated,
            boolean blocked,
            boolean suspended,
            @Nullable Boolean approved,
            @JsonProperty("created_at") @Nullable Long createdAt,
            @JsonProperty("last_seen_ts") @Nullable Long lastSeen,
            @JsonProperty("device_count") long devices) {}

    private record Addresses(List<Address> threepids) {}

    /** A mail address or phone number (contract.md 7.4). */
    record Address(
            String medium,
            String address,
            @JsonProperty("added_at") @Nullable Long addedAt) {}

    private record JoinedRooms(@JsonProperty("joined_rooms") List<String> rooms) {}

    private record Whois(Map<String, Device> devices) {}

    /** A device of an account. */
    record Device(
            @JsonProperty("device_id") String deviceId,
            @JsonProperty("display_name") @Nullable String displayName,
            @JsonProperty("last_seen_ts") @Nullable Long lastSeen,
            @JsonProperty("last_seen_ip") @Nullable String lastIp) {}
}
