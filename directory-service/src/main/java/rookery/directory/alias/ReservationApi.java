// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.Tenants;

/**
 * Aliases for room-service: reserved before a room is created, released if the creation fails, and resolved for a join.
 *
 * <p>A reservation expires after {@code reservation-life}. If the creation takes longer, room-service must abandon the room.
 */
@RestController
class ReservationApi {
    private static final Map<String, String> NOTHING = Map.of();

    private final AliasRegistry registry;
    private final AliasEditor editor;
    private final Tenants tenants;

    ReservationApi(AliasRegistry registry, AliasEditor editor, Tenants tenants) {
        this.registry = registry;
        this.editor = editor;
        this.tenants = tenants;
    }

    /** 400 M_ROOM_IN_USE for a taken alias, M_EXCLUSIVE for a reserved name, M_INVALID_PARAM for an alias of another server. */
    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/aliases/reserve")
    Mono<Map<String, String>> reserve(@RequestBody Reservation reservation) {
        editor.requireFree(reservation.alias, serverName(reservation.tenant));
        return registry.reserve(reservation.tenant, reservation.alias, reservation.roomId, reservation.creator)
                .filter(free -> free)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_ROOM_IN_USE, "a room with this alias exists already")))
                .thenReturn(NOTHING);
    }

    /** Ends the reservation because the room was not created. */
    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/aliases/release")
    Mono<Map<String, String>> release(@RequestBody Reservation reservation) {
        return registry.release(reservation.tenant, reservation.alias, reservation.roomId)
                .thenReturn(NOTHING);
    }

    /** 404 M_NOT_FOUND for an alias that leads to no existing room. */
    @Callers(ServiceName.ROOM)
    @GetMapping("/internal/aliases/{alias}")
    Mono<Room> find(@PathVariable RoomAlias alias, @RequestParam int tenant) {
        return registry.find(new TenantId(tenant), alias)
                .map(existing -> new Room(existing.room()))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such alias")));
    }

    private ServerName serverName(TenantId id) {
        var tenant = tenants.find(id);
        if (tenant == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such tenant");
        }
        return tenant.serverName();
    }

    record Reservation(
            TenantId tenant,
            RoomAlias alias,
            @JsonProperty("room_id") RoomId roomId,
            UserId creator) {}

    record Room(@JsonProperty("room_id") RoomId roomId) {}
}
