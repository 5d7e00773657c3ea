// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.text.WholeText;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The tables of device identity keys and of the signatures by their owners' self-signing keys. */
@Component
public class DeviceKeys {
    private static final String FIND = """
            SELECT content FROM auth.device_key WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    private static final String DELETE_OTHER = """
            DELETE FROM auth.device_key
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device AND content <> :content
            """;

    /** Inserts nothing if an equal row exists. */
    private static final String INSERT = """
            INSERT INTO auth.device_key (tenant, user_id, device_id, content)
            VALUES (:tenant, :user, :device, :content)
                ON CONFLICT (tenant, user_id, device_id) DO NOTHING
            """;

    /** A user without device keys has one row without a device. Users who are unknown or not approved have no row. */
    private static final String OF_USERS = """
            SELECT a.user_id, k.device_id, k.content, d.display_name,
                   (SELECT array_agg(s.signer_key ORDER BY s.signer_key) FROM auth.device_key_signature s
                     WHERE s.tenant = k.tenant AND s.user_id = k.user_id AND s.device_id = k.device_id) AS signers,
                   (SELECT array_agg(s.signature ORDER BY s.signer_key) FROM auth.device_key_signature s
                     WHERE s.tenant = k.tenant AND s.user_id = k.user_id AND s.device_id = k.device_id) AS signatures
              FROM auth.account a
              LEFT JOIN auth.device_key k ON k.tenant = a.tenant AND k.user_id = a.user_id
              LEFT JOIN auth.device d
                     ON d.tenant = k.tenant AND d.user_id = k.user_id AND d.device_id = k.device_id
             WHERE a.tenant = :tenant AND a.user_id = ANY(:users) AND a.approved
            """;

    private static final String SIGN = """
            INSERT INTO auth.device_key_signature AS s (tenant, user_id, device_id, signer_key, signature)
            SELECT k.tenant, k.user_id, k.device_id, :key, :signature
              FROM auth.device_key k
             WHERE k.tenant = :tenant AND k.user_id = :user AND k.device_id = :device AND k.content = :content
                ON CONFLICT (tenant, user_id, device_id, signer_key) DO UPDATE SET signature = excluded.signature
             WHERE s.signature <> excluded.signature
            """;

    private final DatabaseClient db;

    DeviceKeys(DatabaseClient db) {
        this.db = db;
    }

    /** Empty for a device without keys. */
    Mono<String> find(TenantDevice device) {
        return device.bindTo(db.sql(FIND)).mapValue(String.class).one();
    }

    /** True if the keys changed. A change deletes the signatures of the old keys. */
    Mono<Boolean> put(TenantDevice device, String content) {
        return device.bindTo(db.sql(DELETE_OTHER))
                .bind("content", content)
                .then()
                .then(Mono.defer(() -> device.bindTo(db.sql(INSERT))
                        .bind("content", content)
                        .fetch()
                        .rowsUpdated()))
                .map(rows -> rows > 0);
    }

    /** One row per device with keys, or one row without a device for a user without device keys; none for unknown users. */
    public Flux<DeviceKeyRow> ofUsers(TenantId tenant, Collection<UserId> users) {
        return db.sql(OF_USERS)
                .bind("tenant", tenant)
                .bind("users", users.toArray(UserId[]::new))
                .map(DeviceKeys::stored)
                .all();
    }

    /** True if the signature is new or changed and the device keys are still the signed ones. */
    public Mono<Boolean> sign(TenantDevice device, String content, String signerKey, String signature) {
        return device.bindTo(db.sql(SIGN))
                .bind("content", content)
                .bind("key", signerKey)
                .bind("signature", signature)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /**
     * The stored keys of a device.
     *
     * @param device null for a user without device keys
     * @param signers the IDs of the owner's keys that have signed the device since, parallel to {@code signatures}
     */
    public record DeviceKeyRow(
            UserId user,
            @Nullable DeviceId device,
            String content,
            @Nullable String displayName,
            List<String> signers,
            List<String> signatures) {}

    private static DeviceKeyRow stored(Readable row) {
        var user = RequiredColumn.of(row, "user_id", UserId.class);
        var device = row.get("device_id", DeviceId.class);
        if (device == null) {
            return new DeviceKeyRow(user, null, "{}", null, List.of(), List.of());
        }
        String name = row.get("display_name", String.class);
        return new DeviceKeyRow(
                user,
                device,
                RequiredColumn.of(row, "content", String.class),
                name == null ? null : WholeText.ofJson(name),
                strings(row, "signers"),
                strings(row, "signatures"));
    }

    private static List<String> strings(Readable row, String column) {
        String[] all = row.get(column, String[].class);
        return all == null ? List.of() : List.of(all);
    }
}
