// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.transfer.ImportedTenant;

/** Turns on the pushers of an imported tenant after its logs were followed, so that no old message is pushed. */
@Component
class ImportedPushers implements ImportedTenant {
    private static final String TURN_ON = """
            WITH owner AS (SELECT DISTINCT user_id FROM push.pusher WHERE tenant = :tenant),
                 reader AS (
                 INSERT INTO push.reader (tenant, user_id, pushers) SELECT :tenant, user_id, true FROM owner
                     ON CONFLICT (tenant, user_id) DO UPDATE SET pushers = true)
            UPDATE push.member m SET pushers = true FROM owner o
             WHERE m.tenant = :tenant AND m.user_id = o.user_id AND NOT m.pushers
            """;

    private final DatabaseClient db;

    ImportedPushers(DatabaseClient db) {
        this.db = db;
    }

    @Override
    public Mono<Void> complete(TenantId tenant) {
        return db.sql(TURN_ON).bind("tenant", tenant).then();
    }
}
