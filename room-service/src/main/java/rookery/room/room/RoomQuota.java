// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * The most rooms of a tenant (contract.md 20). Rooms that are created at the same moment may exceed the limit by their number,
 * because they do not wait for each other. Upgrades of rooms are not counted.
 */
@Component
class RoomQuota {
    private static final String COUNT = """
            SELECT count(*) AS rooms FROM (SELECT FROM room.room WHERE tenant = :tenant LIMIT :most) AS few
            """;

    private final DatabaseClient db;
    private final Tenants tenants;

    RoomQuota(DatabaseClient db, Tenants tenants) {
        this.db = db;
        this.tenants = tenants;
    }

    /** M_RESOURCE_LIMIT_EXCEEDED for a tenant without a place for another room. */
    Mono<Void> requirePlace(TenantId tenant) {
        var most = tenants.setting(tenant, TenantSettings.ROOMS_MAX);
        return most == null
                ? Mono.empty()
                : db.sql(COUNT)
                        .bind("tenant", tenant)
                        .bind("most", most)
                        .map(row -> RequiredColumn.of(row, "rooms", Long.class))
                        .one()
                        .flatMap(rooms -> rooms < most ? Mono.empty() : Mono.error(full(most)));
    }

    private static ApiException full(long most) {
        return new ApiException(
                ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                "this server is for at most %d rooms and has them: ask its administrators".formatted(most));
    }
}
