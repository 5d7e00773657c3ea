// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.Devices;
import rookery.auth.session.AccessTokens.Pair;
import rookery.model.id.DeviceId;

/** Opens sessions: a device with its tokens. */
@Component
public class Sessions {
    private final Devices devices;
    private final AccessTokens tokens;
    private final TokenMinter minter;
    private final SessionProperties properties;
    private final Clock clock;

    Sessions(Devices devices, AccessTokens tokens, TokenMinter minter, SessionProperties properties, Clock clock) {
        this.devices = devices;
        this.tokens = tokens;
        this.minter = minter;
        this.properties = properties;
        this.clock = clock;
    }

    /**
     * Opens a session in the caller's transaction, in which the account is locked. After the commit, the caller passes the
     * device's revoked tokens to {@link Revocations}.
     */
    public Mono<OpenedSession> open(SessionRequest request) {
        var device = device(request);
        return device(request, device)
                .then(Mono.defer(() -> tokens.delete(request.tenant(), request.user(), List.of(device))))
                .flatMap(revoked -> withToken(request, device).map(session -> new OpenedSession(session, revoked)));
    }

    /** Opens a session beside the device's tokens, which stay valid: a client may have received an answer that seemed lost. */
    public Mono<Session> openBeside(SessionRequest request) {
        var device = device(request);
        return device(request, device).then(Mono.defer(() -> withToken(request, device)));
    }

    private Mono<Void> device(SessionRequest request, DeviceId device) {
        return devices.addOrLock(
                request.tenant(),
                request.user(),
                device,
                request.deviceRequest().name(),
                request.passwordShown());
    }

    /** A random ID for a new device. */
    public DeviceId newDevice() {
        return minter.device();
    }

    private DeviceId device(SessionRequest request) {
        var requested = request.deviceRequest().device();
        return requested == null ? newDevice() : requested;
    }

    private Mono<Session> withToken(SessionRequest request, DeviceId device) {
        var session = request.deviceRequest().refreshable()
                ? new Session(
                        request.user(),
                        device,
                        minter.accessToken(),
                        minter.refreshToken(),
                        properties.accessTokenLife().toMillis())
                : new Session(request.user(), device, minter.accessToken(), null, null);
        return tokens.insert(request.tenant(), Pair.of(session, clock.instant(), properties))
                .thenReturn(session);
    }

    /** A new session, with the tokens that it replaces. */
    public record OpenedSession(Session session, List<TokenHash> revoked) {}
}
