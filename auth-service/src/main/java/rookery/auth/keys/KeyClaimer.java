// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.acquaintance.Acquaintances;
import rookery.auth.keys.OneTimeKeys.Claim;
import rookery.auth.keys.OneTimeKeys.ClaimedKey;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.sql.Portions;
import tools.jackson.databind.node.ObjectNode;

/**
 * Claims device keys for users who share a room or an invitation with the keys' owner: the next one-time key, or the fallback key
 * if no one-time key is left or the claimer has reached the daily limit for the device.
 */
@Component
class KeyClaimer {
    private static final int CLAIMS_MAX = 5000;

    private final Acquaintances acquaintances;
    private final OneTimeKeys oneTimeKeys;
    private final FallbackKeys fallbackKeys;
    private final KeyCounts counts;

    KeyClaimer(Acquaintances acquaintances, OneTimeKeys oneTimeKeys, FallbackKeys fallbackKeys, KeyCounts counts) {
        this.acquaintances = acquaintances;
        this.oneTimeKeys = oneTimeKeys;
        this.fallbackKeys = fallbackKeys;
        this.counts = counts;
    }

    /** The claimed keys, and the users whose keys the claimer may not have. Unknown users are among the refused. */
    record ClaimResult(List<ClaimedKey> claimed, Set<UserId> refused) {}

    /** One key for each claim that can be met; other claims have no key. 503 while room-service is unreachable. */
    Mono<ClaimResult> claim(TenantId tenant, UserId claimer, List<Claim> claims) {
        var owners = claims.stream().map(Claim::user).collect(Collectors.toCollection(LinkedHashSet::new));
        return acquaintances.among(tenant, claimer, owners).flatMap(reachable -> {
            var allowed = claims.stream()
                    .filter(claim -> reachable.contains(claim.user()))
                    .toList();
            owners.removeAll(reachable);
            return claimed(tenant, claimer, allowed).map(claimed -> new ClaimResult(claimed, owners));
        });
    }

    private Mono<List<ClaimedKey>> claimed(TenantId tenant, UserId claimer, List<Claim> claims) {
        return Flux.fromIterable(Portions.of(claims))
                .concatMap(portion -> portion(tenant, claimer, portion))
                .<List<ClaimedKey>>collect(ArrayList::new, List::addAll)
                .doFinally(
                        _ -> counts.noteClaim()); // also after a failure, which follows the commits of earlier portions
    }

    private Mono<List<ClaimedKey>> portion(TenantId tenant, UserId claimer, List<Claim> claims) {
        return oneTimeKeys.claim(tenant, claimer, claims).flatMap(claimed -> {
            var left = new LinkedHashSet<>(claims);
            claimed.forEach(key -> left.remove(key.claim()));
            return fallbackKeys
                    .claim(tenant, List.copyOf(left))
                    .map(more -> Stream.concat(claimed.stream(), more.stream()).toList());
        });
    }

    /** Parses the body and drops invalid IDs. M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM for too many claims. Pure. */
    static List<Claim> claims(JsonBody body) {
        Set<Claim> claims = new LinkedHashSet<>();
        int count = 0;
        for (var user : body.object("one_time_keys").json().properties()) {
            if (!(user.getValue() instanceof ObjectNode devices)) {
                throw new ApiException(ErrorCode.M_BAD_JSON, "one_time_keys must be an object of objects");
            }
            for (var device : devices.properties()) {
                if (!device.getValue().isString()) {
                    throw new ApiException(ErrorCode.M_BAD_JSON, "an algorithm must be a string");
                }
                if (++count > CLAIMS_MAX) {
                    throw new ApiException(ErrorCode.M_INVALID_PARAM, "claim at most " + CLAIMS_MAX + " keys at once");
                }
                add(claims, user.getKey(), device.getKey(), device.getValue().stringValue());
            }
        }
        return List.copyOf(claims);
    }

    private static void add(Set<Claim> claims, String user, String device, String algorithm) {
        try {
            if (KeyId.isPlain(algorithm)) {
                claims.add(new Claim(new UserId(user), new DeviceId(device), algorithm));
            }
        } catch (ApiException _) {
            // an invalid ID belongs to no user or device
        }
    }
}
