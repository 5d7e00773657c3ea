// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of the accounts' addresses. The primary key decides which account gets an address. */
@Component
public class Threepids {
    private static final String OWNER = """
            SELECT user_id
              FROM auth.threepid
             WHERE tenant = :tenant AND medium = :medium AND address = :address
            """;

    private static final String RECOVERABLE = """
            SELECT user_id
              FROM auth.threepid
             WHERE tenant = :tenant AND medium = :medium AND address = :address AND recovers
            """;

    private static final String BOUND = """
            SELECT DISTINCT t.user_id
              FROM auth.threepid t
              JOIN unnest(:mediums::text[], :addresses::text[]) AS requested (medium, address)
                ON requested.medium = t.medium AND requested.address = t.address
             WHERE t.tenant = :tenant AND t.bound
             ORDER BY t.user_id
            """;

    private static final String ADD = """
            INSERT INTO auth.threepid AS t (tenant, medium, address, user_id, validated_at, added_at, recovers)
            VALUES (:tenant, :medium, :address, :user, :validated, :now, :recovers)
                ON CONFLICT (tenant, medium, address) DO UPDATE SET recovers = t.recovers OR excluded.recovers
             WHERE t.user_id = excluded.user_id
            """;

    private static final String LIST = """
            SELECT medium, address, validated_at, added_at
              FROM auth.threepid
             WHERE tenant = :tenant AND user_id = :user
             ORDER BY added_at, medium, address
            """;

    private static final String DELETE = """
            DELETE FROM auth.threepid
             WHERE tenant = :tenant AND medium = :medium AND address = :address AND user_id = :user
            """;

    private static final String BIND = """
            UPDATE auth.threepid
               SET bound = :bound
             WHERE tenant = :tenant AND medium = :medium AND address = :address AND user_id = :user
               AND bound <> :bound
            """;

    private static final String DELETE_ALL = """
            DELETE FROM auth.threepid WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Threepids(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** The user whose account has the address; empty for an unknown address. */
    public Mono<UserId> owner(TenantId tenant, Threepid threepid) {
        return user(OWNER, tenant, threepid);
    }

    /** The user whose password the address may replace; empty for an address without this right. */
    public Mono<UserId> recoverable(TenantId tenant, Threepid threepid) {
        return user(RECOVERABLE, tenant, threepid);
    }

    private Mono<UserId> user(String sql, TenantId tenant, Threepid threepid) {
        return of(sql, tenant, threepid).mapValue(UserId.class).one();
    }

    /** The users who are discoverable by one of the addresses. */
    Flux<UserId> bound(TenantId tenant, List<Threepid> threepids) {
        return db.sql(BOUND)
                .bind("tenant", tenant)
                .bind(
                        "mediums",
                        threepids.stream()
                                .map(threepid -> threepid.medium().text)
                                .toArray(String[]::new))
                .bind("addresses", threepids.stream().map(Threepid::address).toArray(String[]::new))
                .mapValue(UserId.class)
                .all();
    }

    /**
     * True if the address now belongs to the user, false if it belongs to another. Adding an own address again can only allow it
     * to replace the password.
     *
     * @param recovers whether the address may replace the account's password
     */
    public Mono<Boolean> add(TenantId tenant, UserId user, Threepid threepid, Instant validatedAt, boolean recovers) {
        return of(ADD, tenant, threepid)
                .bind("user", user)
                .bind("validated", validatedAt)
                .bind("recovers", recovers)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** An address of an account. */
    public record ThreepidRow(Threepid threepid, Instant validatedAt, Instant addedAt) {}

    /** The account's addresses, the oldest first. */
    public Flux<ThreepidRow> of(TenantId tenant, UserId user) {
        return db.sql(LIST)
                .bind("tenant", tenant)
                .bind("user", user)
                .map(Threepids::threepidRow)
                .all();
    }

    /** Removes the address; true if the account had it. */
    public Mono<Boolean> delete(TenantId tenant, UserId user, Threepid threepid) {
        return of(DELETE, tenant, threepid)
                .bind("user", user)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** Makes the account discoverable by the address, or ends that; true for a change. */
    public Mono<Boolean> setBound(TenantId tenant, UserId user, Threepid threepid, boolean bound) {
        return of(BIND, tenant, threepid)
                .bind("user", user)
                .bind("bound", bound)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** For an account that is deactivated. */
    public Mono<Void> deleteAll(TenantId tenant, UserId user) {
        return db.sql(DELETE_ALL).bind("tenant", tenant).bind("user", user).then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, Threepid threepid) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("medium", threepid.medium().text)
                .bind("address", threepid.address());
    }

    private static ThreepidRow threepidRow(Readable row) {
        return new ThreepidRow(
                new Threepid(
                        Medium.of(RequiredColumn.of(row, "medium", String.class)),
                        RequiredColumn.of(row, "address", String.class)),
                RequiredColumn.of(row, "validated_at", Instant.class),
                RequiredColumn.of(row, "added_at", Instant.class));
    }
}
