// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.sql.RequiredColumn;

/** The last key changes in a user's log: of the user's own keys and of other users' keys that the user has signed. */
@Component
class KeyChanges {
    // the body contains only the ID of the user whose keys changed
    private static final String LAST = """
            SELECT body, max(pos) AS pos FROM auth.log_entry
             WHERE tenant = :tenant AND subject = :user AND kind = 'device_keys' GROUP BY body
            """;

    private final DatabaseClient db;

    KeyChanges(DatabaseClient db) {
        this.db = db;
    }

    /** @param pos the position of the last change, in the shard of the log's owner */
    record Change(UserId user, long pos) {}

    /** One change for each user, in no order. */
    Mono<List<Change>> of(TenantId tenant, UserId user) {
        return db.sql(LAST)
                .bind("tenant", tenant)
                .bind("user", user)
                .map(row ->
                        change(RequiredColumn.of(row, "body", String.class), RequiredColumn.of(row, "pos", Long.class)))
                .all()
                .collectList();
    }

    private static Change change(String body, long pos) {
        if (DeviceLogText.read(DeviceLogRecord.DEVICE_KEYS, body) instanceof DeviceKeysChanged(var user)) {
            return new Change(user, pos);
        }
        throw new IllegalStateException("a device_keys entry has an unexpected body");
    }
}
