// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Client of room-service, the owner of rooms and memberships. */
@Component
public class RoomClient {
    private static final Logger log = LoggerFactory.getLogger(RoomClient.class);
    private static final String SERVICE = "room-service";
    /** A user without membership in any room. */
    private static final UserId NOBODY = new UserId("@nobody:invalid");

    private final ServiceClient services;

    RoomClient(ServiceClient services) {
        this.services = services;
    }

    /** Empty for an unknown room. */
    Mono<RoomFacts> facts(TenantId tenant, RoomId room, UserId user) {
        String path = "/internal/rooms/%s/facts?tenant=%d&user=%s"
                .formatted(encoded(room.value()), tenant.value(), encoded(user.value()));
        return services.get(SERVICE, room.value(), path, RoomFacts.class)
                .onErrorResume(RoomClient::isNotFound, _ -> Mono.empty());
    }

    /** Whether the tenant has the room. */
    public Mono<Boolean> exists(TenantId tenant, RoomId room) {
        return facts(tenant, room, NOBODY).hasElement();
    }

    /** Whether the caller is joined to the room. */
    public Mono<Boolean> isMember(Caller caller, RoomId room) {
        return facts(caller.tenant(), room, caller.user())
                .map(RoomFacts::isJoined)
                .defaultIfEmpty(false);
    }

    /**
     * Publishes the room in the room directory or removes the room from there, with the caller's permissions: M_NOT_FOUND for an
     * unknown room, M_FORBIDDEN without the power.
     */
    public Mono<Void> list(Caller caller, RoomId room, boolean published) {
        var known = caller.known();
        var change = new ListingRequest(caller.tenant(), caller.user(), published, known != null && known.admin());
        return services.post(
                        SERVICE,
                        room.value(),
                        "/internal/rooms/" + encoded(room.value()) + "/listing",
                        change,
                        JsonNode.class)
                .then();
    }

    /** The predecessor if the room was upgraded from one. Empty otherwise, even if the create event claims a predecessor. */
    public Mono<RoomId> predecessor(TenantId tenant, RoomId room) {
        String path = "/internal/rooms/%s/predecessor?tenant=%d".formatted(encoded(room.value()), tenant.value());
        return services.get(SERVICE, room.value(), path, Predecessor.class)
                .map(Predecessor::roomId)
                .onErrorResume(RoomClient::isNotFound, _ -> Mono.empty());
    }

    /**
     * Removes the alias from the room's canonical alias event, with this user as sender. The alias is already deleted, so
     * failures are only logged: an alias without a room may stay in the event, and clients can deal with such aliases.
     */
    Mono<Void> forget(TenantId tenant, RoomId room, RoomAlias alias, UserId user) {
        String path = "/internal/rooms/" + encoded(room.value()) + "/aliases/forget";
        return services.post(SERVICE, room.value(), path, new ForgetRequest(tenant, user, alias), JsonNode.class)
                .then()
                .onErrorResume(ApiException.class, RoomClient::leftOver);
    }

    private static Mono<Void> leftOver(ApiException refusal) {
        log.atWarn().addKeyValue("cause", refusal.reason).log("a deleted alias stays in the canonical alias event");
        return Mono.empty();
    }

    private static boolean isNotFound(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND;
    }

    private static String encoded(String value) {
        return UriUtils.encode(value, StandardCharsets.UTF_8);
    }

    record Predecessor(@JsonProperty("room_id") RoomId roomId) {}

    record ListingRequest(TenantId tenant, UserId user, boolean published, boolean admin) {}

    record ForgetRequest(TenantId tenant, UserId user, RoomAlias alias) {}
}
