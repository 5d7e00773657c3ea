// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;

/** Resolves aliases at directory-service, and reserves aliases for new rooms. */
@Component
public class AliasClient {
    private static final String DIRECTORY = "directory-service";

    private final ServiceClient services;

    AliasClient(ServiceClient services) {
        this.services = services;
    }

    /** Empty for an unknown alias. */
    public Mono<RoomId> find(TenantId tenant, RoomAlias alias) {
        String path = "/internal/aliases/"
                + URLEncoder.encode(alias.value(), StandardCharsets.UTF_8).replace("+", "%20") + "?tenant="
                + tenant.value();
        return services.get(DIRECTORY, alias.value(), path, Target.class)
                .map(Target::roomId)
                .onErrorResume(AliasClient::isUnknown, _ -> Mono.empty());
    }

    /** M_ROOM_IN_USE if the alias is taken. */
    public Mono<Void> reserve(TenantId tenant, RoomAlias alias, RoomId room, UserId creator) {
        var body = new Reservation(tenant, alias, room, creator);
        return services.post(DIRECTORY, alias.value(), "/internal/aliases/reserve", body, Object.class)
                .then();
    }

    public Mono<Void> release(TenantId tenant, RoomAlias alias, RoomId room, UserId creator) {
        var body = new Reservation(tenant, alias, room, creator);
        return services.post(DIRECTORY, alias.value(), "/internal/aliases/release", body, Object.class)
                .then();
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND;
    }

    record Target(@JsonProperty("room_id") RoomId roomId) {}

    record Reservation(
            TenantId tenant,
            RoomAlias alias,
            @JsonProperty("room_id") RoomId roomId,
            UserId creator) {}
}
