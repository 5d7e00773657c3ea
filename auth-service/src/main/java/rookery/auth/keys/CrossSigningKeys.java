// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.keys.SigningUpload.Change;
import rookery.auth.keys.SigningUpload.SigningKey;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The tables of cross-signing keys and of the later signatures of master keys. */
@Component
public class CrossSigningKeys {
    /** One row for each signature. Signatures by another user's user-signing key are visible only to the signer. */
    private static final String SHOWN = """
            SELECT k.user_id, k.usage, k.public_key, k.content, s.signer, s.signer_key, s.signature
              FROM auth.cross_signing_key k
              LEFT JOIN auth.master_key_signature s
                     ON s.tenant = k.tenant AND s.user_id = k.user_id AND s.usage = k.usage
                        AND s.signer IN (k.user_id, :caller)
             WHERE k.tenant = :tenant AND k.user_id = ANY(:users) AND (k.usage <> 'user_signing' OR k.user_id = :caller)
             ORDER BY k.user_id, k.usage, s.signer, s.signer_key
            """;

    private static final String DELETE = """
            DELETE FROM auth.cross_signing_key WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String PUT = """
            INSERT INTO auth.cross_signing_key (tenant, user_id, usage, public_key, content)
            VALUES (:tenant, :user, :usage, :key, :content)
                ON CONFLICT (tenant, user_id, usage) DO UPDATE
               SET public_key = excluded.public_key, content = excluded.content
            """;

    private static final String FORGET_SIGNATURES = """
            DELETE FROM auth.device_key_signature s
             WHERE s.tenant = :tenant AND s.user_id = :user
               AND NOT EXISTS (SELECT 1 FROM auth.cross_signing_key k
                                WHERE k.tenant = s.tenant AND k.user_id = s.user_id AND k.usage = 'self_signing'
                                  AND s.signer_key = 'ed25519:' || k.public_key)
            """;

    private static final String IS_DEVICE = """
            SELECT 1 FROM auth.device WHERE tenant = :tenant AND user_id = :user AND device_id = ANY(:keys) LIMIT 1
            """;

    private static final String SIGN = """
            INSERT INTO auth.master_key_signature AS s (tenant, user_id, signer, signer_key, signature)
            SELECT k.tenant, k.user_id, :signer, :key, :signature
              FROM auth.cross_signing_key k
             WHERE k.tenant = :tenant AND k.user_id = :user AND k.usage = 'master' AND k.content = :content
                ON CONFLICT (tenant, user_id, signer, signer_key) DO UPDATE SET signature = excluded.signature
             WHERE s.signature <> excluded.signature
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;

    CrossSigningKeys(DatabaseClient db) {
        this.db = db;
    }

    /** The keys of the users that the caller may see, with the signatures uploaded later. Unknown users have no rows. */
    Mono<List<KeyRow>> shown(TenantId tenant, UserId caller, Collection<UserId> users) {
        return db.sql(SHOWN)
                .bind("tenant", tenant)
                .bind("caller", caller)
                .bind("users", users.toArray(UserId[]::new))
                .map(SignedKeyRow::of)
                .all()
                .bufferUntilChanged(SignedKeyRow::key)
                .map(SignedKeyRow::stored)
                .collectList();
    }

    /** Writes the change, and deletes the signatures of device keys by replaced self-signing keys. */
    Mono<Void> write(TenantId tenant, UserId user, Change change) {
        return (change.isNewMaster() ? deleteAll(tenant, user) : Mono.<Void>empty())
                .thenMany(Flux.fromIterable(change.written()))
                .concatMap(key -> of(PUT, tenant, user)
                        .bind("usage", key.usage().text())
                        .bind("key", key.publicKey())
                        .bind("content", key.content())
                        .then())
                .then(Mono.defer(() -> of(FORGET_SIGNATURES, tenant, user).then()));
    }

    /** For an account that is deactivated. */
    public Mono<Void> deleteAll(TenantId tenant, UserId user) {
        return of(DELETE, tenant, user).then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    /** True if one of the public keys equals the ID of a device of the user: signatures by such a key would be ambiguous. */
    Mono<Boolean> isDevice(TenantId tenant, UserId user, List<SigningKey> keys) {
        return db.sql(IS_DEVICE)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("keys", keys.stream().map(SigningKey::publicKey).toArray(String[]::new))
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    /** True if the signature is new or changed and the owner's master key is still the signed one. */
    Mono<Boolean> sign(
            TenantId tenant, UserId owner, String content, UserId signer, String signerKey, String signature) {
        return db.sql(SIGN)
                .bind("tenant", tenant)
                .bind("user", owner)
                .bind("content", content)
                .bind("signer", signer)
                .bind("key", signerKey)
                .bind("signature", signature)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /**
     * A cross-signing key.
     *
     * @param content as uploaded
     * @param signed the content with the later signatures
     */
    record KeyRow(UserId user, Usage usage, String publicKey, String content, ObjectNode signed) {}

    /** A key joined with one later signature; the signature's fields are null for a key without later signatures. */
    private record SignedKeyRow(
            KeyRow stored,
            @Nullable UserId signer,
            @Nullable String signerKey,
            @Nullable String signature) {
        static SignedKeyRow of(Readable row) {
            String content = RequiredColumn.of(row, "content", String.class);
            return new SignedKeyRow(
                    new KeyRow(
                            RequiredColumn.of(row, "user_id", UserId.class),
                            Usage.of(RequiredColumn.of(row, "usage", String.class)),
                            RequiredColumn.of(row, "public_key", String.class),
                            content,
                            (ObjectNode) JSON.readTree(content)),
                    row.get("signer", UserId.class),
                    row.get("signer_key", String.class),
                    row.get("signature", String.class));
        }

        String key() {
            return stored.usage + " " + stored.user.value();
        }

        static KeyRow stored(List<SignedKeyRow> rows) {
            var stored = rows.getFirst().stored;
            for (var row : rows) {
                if (row.signer != null) {
                    SignedObject.sign(
                            stored.signed,
                            row.signer,
                            Objects.requireNonNull(row.signerKey),
                            Objects.requireNonNull(row.signature));
                }
            }
            return stored;
        }
    }
}
