// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * The pushers of all users and their changes (contract.md 12.6, 14).
 *
 * <p>Changes of one user's pushers are serialized, and so are settings of one pushkey. So checks of the number of pushers and of
 * the sole owner of a pushkey never see half of another change. Units of a deleted pusher are superseded when due.
 */
@Component
public class Pushers {
    private static final int OF_USER_MAX = 100;

    private final PusherTable table;
    private final PusherFlags flags;
    private final TransactionalOperator tx;

    Pushers(PusherTable table, PusherFlags flags, TransactionalOperator tx) {
        this.table = table;
        this.flags = flags;
        this.tx = tx;
    }

    Mono<List<Pusher>> of(TenantId tenant, UserId user) {
        return table.of(tenant, user);
    }

    /** Number of the tenant's pushers. */
    public Mono<Long> count(TenantId tenant) {
        return table.count(tenant);
    }

    /** M_INVALID_PARAM beyond the maximum number of pushers. */
    Mono<Void> set(Pusher pusher, boolean append) {
        return table.lockKey(pusher.tenant(), pusher.key())
                .then(append ? Mono.just(List.<UserId>of()) : table.others(pusher))
                .flatMap(others -> setAlone(pusher, others))
                .as(tx::transactional);
    }

    private Mono<Void> setAlone(Pusher pusher, Collection<UserId> others) {
        var all = new HashSet<>(others);
        all.add(pusher.user());
        return table.lockUsers(pusher.tenant(), all)
                .then(table.deleteOf(pusher.tenant(), others, pusher.key()))
                .thenMany(Flux.fromIterable(others))
                .concatMap(other -> tell(pusher.tenant(), other))
                .then(Mono.defer(() -> upserted(pusher)));
    }

    private Mono<Void> upserted(Pusher pusher) {
        return table.upsert(pusher)
                .filter(isNew -> isNew)
                .flatMap(_ -> table.count(pusher.tenant(), pusher.user()))
                .doOnNext(Pushers::requireFew)
                .flatMap(_ -> tell(pusher.tenant(), pusher.user()));
    }

    private static void requireFew(long count) {
        if (count > OF_USER_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "nobody has more than " + OF_USER_MAX + " pushers");
        }
    }

    /** Idempotent. */
    Mono<Void> unset(TenantId tenant, UserId user, PusherKey key) {
        return ending(tenant, user, table.deleteOf(tenant, List.of(user), key)).then();
    }

    /** M_NOT_FOUND if no pusher matches. */
    Mono<Void> delete(TenantId tenant, UserId user, String pushkey, @Nullable String appId) {
        boolean isPossible = PusherKey.isPushkey(pushkey) && (appId == null || PusherKey.isAppId(appId));
        var gone = isPossible ? ending(tenant, user, table.deleteKey(tenant, user, pushkey, appId)) : Mono.just(0L);
        return gone.filter(count -> count > 0)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "you have no such pusher")))
                .then();
    }

    /** Deletes the pushers of an ended device. */
    public Mono<Void> endOfDevice(TenantId tenant, UserId user, DeviceId device) {
        return ending(tenant, user, table.deleteDevice(tenant, user, device)).then();
    }

    /** Deletes the pushers of a deactivated account. */
    public Mono<Void> endOfAccount(TenantId tenant, UserId user) {
        return ending(tenant, user, table.deleteAll(tenant, user)).then();
    }

    /** Deletes a pusher whose pushkey the gateway has rejected. */
    public Mono<Void> rejected(TenantId tenant, UserId user, long pusher) {
        return ending(tenant, user, table.delete(tenant, user, pusher)).then();
    }

    private Mono<Long> ending(TenantId tenant, UserId user, Mono<Long> deletion) {
        return table.lockUsers(tenant, List.of(user))
                .then(deletion)
                .flatMap(count -> count > 0 ? tell(tenant, user).thenReturn(count) : Mono.just(count))
                .as(tx::transactional);
    }

    private Mono<Void> tell(TenantId tenant, UserId user) {
        return table.count(tenant, user).flatMap(count -> flags.changed(tenant, user, count > 0));
    }
}
