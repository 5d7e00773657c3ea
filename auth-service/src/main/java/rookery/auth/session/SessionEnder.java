package rookery.auth.session;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.Devices;
import rookery.auth.userlog.UserLog;
import rookery.auth.userlog.UserLogDraft;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.platform.log.EntryDraft;
import rookery.platform.log.Outcome;
import rookery.platform.log.Outcome.Accepted;

/** Ends sessions for good: when this completes, no gateway takes their tokens, and their parked polls are told. */
@Component
public class SessionEnder {
    private final UserLog userLog;
    private final Devices devices;
    private final AccessTokens tokens;
    private final Revocations revocations;

    SessionEnder(UserLog userLog, Devices devices, AccessTokens tokens, Revocations revocations) {
        this.userLog = userLog;
        this.devices = devices;
        this.tokens = tokens;
        this.revocations = revocations;
    }

    /** Deletes the device and all that is its; nothing happens if it is gone. */
    public Mono<Void> end(TenantId tenant, UserId user, DeviceId device) {
        return ended(new Ending(tenant, user, device));
    }

    /** The same for all devices of the user. */
    public Mono<Void> endAll(TenantId tenant, UserId user) {
        return ended(new Ending(tenant, user, null));
    }

    private Mono<Void> ended(Ending ending) {
        return userLog.append(ending).flatMap(revoked -> revocations.announce(ending.tenant, revoked));
    }

    /** Devices go in the transaction that says so in the user's log; the answer is which tokens they had. */
    private final class Ending implements UserLogDraft<List<TokenHash>> {
        private final TenantId tenant;
        private final UserId user;
        private final @Nullable DeviceId only;

        Ending(TenantId tenant, UserId user, @Nullable DeviceId only) {
            this.tenant = tenant;
            this.user = user;
            this.only = only;
        }

        @Override
        public TenantId tenant() {
            return tenant;
        }

        @Override
        public UserId user() {
            return user;
        }

        @Override
        public Mono<Outcome<List<TokenHash>>> applied(long pos) {
            var gone = only == null ? devices.lockAll(tenant, user) : devices.lock(tenant, user, only);
            return gone.flatMap(this::deleted);
        }

        private Mono<Outcome<List<TokenHash>>> deleted(List<DeviceId> gone) {
            var entries = gone.stream().map(this::entry).toList();
            return tokens.delete(tenant, user, gone)
                    .delayUntil(_ -> devices.delete(tenant, user, gone))
                    .map(revoked -> new Accepted<>(entries, revoked));
        }

        private EntryDraft entry(DeviceId device) {
            return UserLog.entry(tenant, user, new SessionEnded(device));
        }
    }
}
