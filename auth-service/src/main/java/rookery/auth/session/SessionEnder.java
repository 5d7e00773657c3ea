// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.Devices;
import rookery.auth.todevice.ToDeviceEntries;
import rookery.auth.userlog.UserLog;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome.Accepted;

/** Ends sessions: on completion, gateways refuse their tokens, and the user log tells sync-service to end pending syncs. */
@Component
public class SessionEnder {
    private final UserLog userLog;
    private final Devices devices;
    private final AccessTokens tokens;
    private final ToDeviceEntries messages;
    private final Revocations revocations;

    SessionEnder(
            UserLog userLog, Devices devices, AccessTokens tokens, ToDeviceEntries messages, Revocations revocations) {
        this.userLog = userLog;
        this.devices = devices;
        this.tokens = tokens;
        this.messages = messages;
        this.revocations = revocations;
    }

    /** Deletes the device with all its data. A missing device is no error. */
    public Mono<Void> end(TenantId tenant, UserId user, DeviceId device) {
        return end(new EndRequest(tenant, user, new Only(List.of(device)), () -> Mono.just(true)))
                .then();
    }

    /** Deletes all devices of the user with their data. */
    public Mono<Void> endAll(TenantId tenant, UserId user) {
        return end(new EndRequest(tenant, user, new All(), () -> Mono.just(true)))
                .then();
    }

    /**
     * Ends sessions and makes the change that is the reason, in one transaction. Returns the result of {@link EndRequest#first}.
     */
    public Mono<Boolean> end(EndRequest ending) {
        return userLog.append(ending.tenant, ending.user, pos -> ended(ending, pos))
                .delayUntil(revoked -> unread(ending, revoked))
                .flatMap(revoked -> announced(ending, revoked).thenReturn(revoked.agreed));
    }

    private Mono<Void> announced(EndRequest ending, EndResult revoked) {
        return ending.which instanceof None
                ? Mono.empty()
                : revocations.announce(ending.tenant, ending.user, revoked.tokens);
    }

    /** Deletes again after the commit: messages of the same batch are inserted after the drafts have run. */
    private Mono<Void> unread(EndRequest ending, EndResult revoked) {
        return revoked.gone.isEmpty()
                ? Mono.empty()
                : messages.deleteBefore(revoked.pos, ending.tenant, ending.user, revoked.gone);
    }

    /** For a committed change of the user's permissions: on completion, every gateway resolves the user's tokens again. */
    public Mono<Void> reconsider(TenantId tenant, UserId user) {
        return tokens.ofUser(tenant, user).flatMap(all -> revocations.announce(tenant, user, all));
    }

    /**
     * A request to end sessions.
     *
     * @param first the change that requires it. Runs first in the same transaction, and again if the transaction is retried. If
     *     false, nothing else happens. Throws an {@link ApiException} only before any write
     * @param newState the account's new state, which is appended to the user log; null if unchanged
     */
    public record EndRequest(
            TenantId tenant,
            UserId user,
            Selection which,
            Supplier<Mono<Boolean>> first,
            @Nullable AccountState newState) {
        /** For an account whose state does not change. */
        public EndRequest(TenantId tenant, UserId user, Selection which, Supplier<Mono<Boolean>> first) {
            this(tenant, user, which, first, null);
        }

        @Override
        public String toString() {
            return user.value();
        }
    }

    /** The sessions to end. */
    public sealed interface Selection {}

    public record All() implements Selection {}

    public record AllBut(DeviceId own) implements Selection {}

    public record Only(List<DeviceId> devices) implements Selection {}

    public record None() implements Selection {}

    /** Keeps all sessions and marks them as locked: pending syncs end, and gateways resolve the tokens again. */
    public record AllLocked() implements Selection {}

    /**
     * The effect of the transaction.
     *
     * @param gone the deleted devices
     * @param pos the position of the first entry in the user's shard
     */
    private record EndResult(boolean agreed, List<TokenHash> tokens, List<DeviceId> gone, long pos) {}

    private Mono<Accepted<EndResult>> ended(EndRequest ending, long pos) {
        return Mono.defer(ending.first)
                .flatMap(agreed -> agreed
                        ? written(ending, pos)
                        : Mono.just(new Accepted<>(List.of(), new EndResult(false, List.of(), List.of(), pos))));
    }

    private Mono<Accepted<EndResult>> written(EndRequest ending, long pos) {
        var tenant = ending.tenant;
        var user = ending.user;
        return switch (ending.which) {
            case All() -> devices.lockAll(tenant, user).flatMap(gone -> deleted(ending, gone, pos));
            case AllBut(var own) ->
                devices.lockAll(tenant, user)
                        .map(all -> all.stream()
                                .filter(device -> !device.equals(own))
                                .toList())
                        .flatMap(gone -> deleted(ending, gone, pos));
            case Only(var some) -> devices.lock(tenant, user, some).flatMap(gone -> deleted(ending, gone, pos));
            case None() -> deleted(ending, List.of(), pos);
            case AllLocked() -> devices.lockAll(tenant, user).flatMap(all -> locked(ending, all, pos));
        };
    }

    /** Deletes the devices in the transaction that appends the entries. The result contains the hashes of their tokens. */
    private Mono<Accepted<EndResult>> deleted(EndRequest ending, List<DeviceId> gone, long pos) {
        var entries = entries(ending, gone, SessionEnded::new);
        if (!gone.isEmpty()) {
            entries.add(UserLog.entry(ending.tenant, ending.user, new DeviceKeysChanged(ending.user)));
        }
        return tokens.delete(ending.tenant, ending.user, gone)
                .delayUntil(_ -> messages.deleteBefore(pos, ending.tenant, ending.user, gone))
                .delayUntil(_ -> devices.delete(ending.tenant, ending.user, gone)) // with their keys
                .map(revoked -> new Accepted<>(entries, new EndResult(true, revoked, gone, pos)));
    }

    private Mono<Accepted<EndResult>> locked(EndRequest ending, List<DeviceId> all, long pos) {
        var entries = entries(ending, all, SessionLocked::new);
        return tokens.ofUser(ending.tenant, ending.user)
                .map(hashes -> new Accepted<>(entries, new EndResult(true, hashes, List.of(), pos)));
    }

    private static List<EntryDraft> entries(
            EndRequest ending, List<DeviceId> some, Function<DeviceId, UserLogRecord> toRecord) {
        var all = new ArrayList<EntryDraft>();
        some.forEach(device -> all.add(UserLog.entry(ending.tenant, ending.user, toRecord.apply(device))));
        if (ending.newState != null) {
            all.add(UserLog.entry(ending.tenant, ending.user, new AccountChanged(ending.newState)));
        }
        return all;
    }
}
