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

/** Tells the gateway whose a token is. */
@Component
class TokenResolver {
    /** contract.md 3.5: what is written about a device in use is at most a minute old, and no newer than it must be. */
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

    /** @param from where the client is, which is noted with the device, or null */
    Mono<Resolution> resolve(TenantId tenant, TokenHash token, @Nullable Connection from) {
        return tokens.resolve(tenant, token, from == null ? "" : from.ip())
                .flatMap(resolved -> used(tenant, token, resolved))
                .flatMap(resolved -> seen(tenant, resolved, from).thenReturn(resolution(resolved)))
                .defaultIfEmpty(new Unknown());
    }

    /** The first use of a refreshed token ends the refresh token before it; empty if the token was discarded meanwhile. */
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

    private static Resolution resolution(TokenRow resolved) {
        if (resolved.expired()) {
            return new Expired();
        }
        return resolved.blocked()
                ? new Locked(resolved.user(), resolved.device())
                : new Known(resolved.user(), resolved.device(), resolved.admin(), resolved.suspended());
    }

    /** What a token is worth. */
    sealed interface Resolution {}

    record Known(UserId user, DeviceId device, boolean admin, boolean suspended) implements Resolution {}

    /** The token is good, the account is blocked: good for logging out, and for nothing else. */
    record Locked(UserId user, DeviceId device) implements Resolution {}

    /** The token has run out or was refreshed; its session lives. */
    record Expired() implements Resolution {}

    record Unknown() implements Resolution {}
}
