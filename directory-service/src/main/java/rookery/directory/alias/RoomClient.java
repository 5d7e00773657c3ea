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

/** Asks room-service what only it knows: whether a room exists, and what a user is in it. */
@Component
public class RoomClient {
    private static final Logger log = LoggerFactory.getLogger(RoomClient.class);
    private static final String SERVICE = "room-service";
    /** A user whom no room knows. */
    private static final UserId NOBODY = new UserId("@nobody:invalid");

    private final ServiceClient services;

    RoomClient(ServiceClient services) {
        this.services = services;
    }

    /** Empty if the tenant has no such room. */
    Mono<RoomFacts> facts(TenantId tenant, RoomId room, UserId user) {
        String path = "/internal/rooms/%s/facts?tenant=%d&user=%s"
                .formatted(encoded(room.value()), tenant.value(), encoded(user.value()));
        return services.get(SERVICE, room.value(), path, RoomFacts.class)
                .onErrorResume(RoomClient::isNotFound, _ -> Mono.empty());
    }

    /** Whether the tenant has such a room. */
    public Mono<Boolean> exists(TenantId tenant, RoomId room) {
        return facts(tenant, room, NOBODY).hasElement();
    }

    /** Whether the user is in that room of theirs. */
    public Mono<Boolean> isMember(Caller caller, RoomId room) {
        return facts(caller.tenant(), room, caller.user())
                .map(RoomFacts::isJoined)
                .defaultIfEmpty(false);
    }

    /**
     * Puts the room into the room directory or takes it out, as that user: M_NOT_FOUND for an unknown room, M_FORBIDDEN for who may
     * not.
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

    /** The room whose place this one took by an upgrade; empty if there is none, whatever its create event says. */
    public Mono<RoomId> predecessor(TenantId tenant, RoomId room) {
        String path = "/internal/rooms/%s/predecessor?tenant=%d".formatted(encoded(room.value()), tenant.value());
        return services.get(SERVICE, room.value(), path, Predecessor.class)
                .map(Predecessor::roomId)
                .onErrorResume(RoomClient::isNotFound, _ -> Mono.empty());
    }

    /**
     * Has the alias taken out of the room's canonical alias event, in the name of that user. The alias is gone by then, so
     * nothing depends on it: what is left over leads nowhere, and clients know such aliases.
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
