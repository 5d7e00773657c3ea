// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.DeviceConnections;
import rookery.auth.device.DeviceConnections.Connection;
import rookery.auth.device.Devices;
import rookery.auth.session.AccessTokens.TokenRow;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Resolves tokens and records the use of devices. */
@Component
class TokenResolver {
    /** The last use of a device is written at most once a minute (contract.md 3.5). */
    private static final Duration SEEN_EVERY = Duration.ofMinutes(1);

    private final AccessTokens tokens;
    private final Devices devices;
    private final DeviceConnections connections;
    private final Clock clock;

    TokenResolver(AccessTokens tokens, Devices devices, DeviceConnections connections, Clock clock) {
        this.tokens = tokens;
        this.devices = devices;
        this.connections = connections;
        this.clock = clock;
    }

    /** @param from the client's address, to be recorded with the device, or null */
    Mono<Resolution> resolve(TenantId tenant, TokenHash token, @Nullable Connection from) {
        return tokens.resolve(tenant, token, from == null ? "" : from.ip())
                .flatMap(resolved -> used(tenant, token, resolved))
                .flatMap(resolved -> seen(tenant, resolved, from).thenReturn(resolution(resolved)))
                .defaultIfEmpty(new Unknown());
    }

    /** The first use of a refreshed token ends the previous refresh token. Empty if the token was deleted meanwhile. */
    private Mono<TokenRow> used(TenantId tenant, TokenHash token, TokenRow resolved) {
        return resolved.fresh() && !resolved.expired()
                ? tokens.use(tenant, token).filter(alive -> alive).map(_ -> resolved)
                : Mono.just(resolved);
    }

    private Mono<Void> seen(TenantId tenant, TokenRow resolved, @Nullable Connection from) {
        if (resolved.expired() || !isNews(resolved)) {
            return Mono.empty();
        }
        return from == null
                ? devices.seen(tenant, resolved.user(), resolved.device())
                : connections.seen(tenant, resolved.user(), resolved.device(), from);
    }

    private boolean isNews(TokenRow resolved) {
        var lastSeen = resolved.lastSeen();
        return lastSeen == null || lastSeen.isBefore(clock.instant().minus(SEEN_EVERY));
    }

    private Resolution resolution(TokenRow resolved) {
        if (resolved.expired()) {
            return new Expired();
        }
        return resolved.blocked()
                ? new Locked(resolved.user(), resolved.device())
                : new Known(resolved.user(), resolved.device(), resolved.admin(), resolved.suspended(), left(resolved));
    }

    private @Nullable Duration left(TokenRow resolved) {
        return resolved.expires() == null ? null : Duration.between(clock.instant(), resolved.expires());
    }

    /** The state of a token. */
    sealed interface Resolution {}

    /** @param left the time until the token expires, or null */
    record Known(
            UserId user,
            DeviceId device,
            boolean admin,
            boolean suspended,
            @Nullable Duration left) implements Resolution {}

    /** A valid token of a blocked account: accepted only for logging out. */
    record Locked(UserId user, DeviceId device) implements Resolution {}

    /** The token has expired or was refreshed; its session is alive. */
    record Expired() implements Resolution {}

    record Unknown() implements Resolution {}
}
