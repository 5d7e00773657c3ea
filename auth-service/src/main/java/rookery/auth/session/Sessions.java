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
     * device's revoked tokens to
     * {@link Revocations}.
     */
    public Mono<OpenedSession> open(SessionRequest opening) {
        var device = device(opening);
        return device(opening, device)
                .then(Mono.defer(() -> tokens.delete(opening.tenant(), opening.user(), List.of(device))))
                .flatMap(revoked -> withToken(opening, device).map(session -> new OpenedSession(session, revoked)));
    }

    /** Opens a session beside the device's tokens, which stay valid: a client may have received an answer that seemed lost. */
    public Mono<Session> openBeside(SessionRequest opening) {
        var device = device(opening);
        return device(opening, device).then(Mono.defer(() -> withToken(opening, device)));
    }

    private Mono<Void> device(SessionRequest opening, DeviceId device) {
        return devices.addOrLock(
                opening.tenant(), opening.user(), device, opening.wish().name(), opening.passwordShown());
    }

    /** A random ID for a new device. */
    public DeviceId newDevice() {
        return minter.device();
    }

    private DeviceId device(SessionRequest opening) {
        var wished = opening.wish().device();
        return wished == null ? newDevice() : wished;
    }

    private Mono<Session> withToken(SessionRequest opening, DeviceId device) {
        var session = opening.wish().refreshable()
                ? new Session(
                        opening.user(),
                        device,
                        minter.accessToken(),
                        minter.refreshToken(),
                        properties.accessTokenLife().toMillis())
                : new Session(opening.user(), device, minter.accessToken(), null, null);
        return tokens.insert(opening.tenant(), Pair.of(session, clock.instant(), properties))
                .thenReturn(session);
    }

    /** A new session, with the tokens that it replaces. */
    public record OpenedSession(Session session, List<TokenHash> revoked) {}
}
