// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.LogFollower;
import rookery.platform.log.follow.Stretch;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;
import rookery.sync.inbox.DeviceStates.KeyCounts;
import rookery.sync.waiting.Waiters;
import rookery.sync.waiting.Wake;

/** Follows the user log for connected users, with the guarantees of {@link RoomFeed}. */
@Component
public class UserFeed implements LogFollower {
    private static final Logger log = LoggerFactory.getLogger(UserFeed.class);

    private static final Set<String> OF_DEVICES =
            Set.of(DeviceLogRecord.TO_DEVICE, DeviceLogRecord.KEY_COUNTS, DeviceLogRecord.DEVICE_KEYS);

    private final Inboxes inboxes;
    private final SessionEnds sessionEnds;
    private final Progress progress = new Progress();
    private final Units units = new Units();

    UserFeed(Inboxes inboxes, SessionEnds sessionEnds) {
        this.inboxes = inboxes;
        this.sessionEnds = sessionEnds;
    }

    Progress progress() {
        return progress;
    }

    @Override
    public Heads begin(LogState state) {
        var heads = state.heads();
        units.clear();
        synchronized (this) {
            if (progress.isValidBefore(heads)) {
                return progress.now();
            }
            inboxes.all().forEach(inbox -> {
                inbox.data().forget();
                inbox.devices().forget();
            });
            progress.begin(heads, heads);
        }
        log.atInfo().addKeyValue("epoch", heads.epoch()).log("following the user log from its heads");
        inboxes.all().forEach(inbox -> inbox.waiters().wake(Wake.NEWS));
        return heads;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return switch (bare.kind()) {
            case UserLogRecord.SESSION_ENDED, UserLogRecord.SESSION_LOCKED -> bare.subject() != null;
            case UserLogRecord.ACCOUNT_DATA,
                    UserLogRecord.PROFILE,
                    DeviceLogRecord.TO_DEVICE,
                    DeviceLogRecord.KEY_COUNTS,
                    DeviceLogRecord.DEVICE_KEYS -> bare.subject() != null && inboxes.find(key(bare)) != null;
            default -> false;
        };
    }

    @Override
    public void apply(Stretch stretch) {
        Set<Waiters> toWake = new LinkedHashSet<>();
        synchronized (this) {
            for (var entry : units.settled(stretch)) {
                if (wants(entry)) {
                    take(entry, toWake);
                }
            }
            progress.move(stretch.shard(), stretch.settledTo());
        }
        toWake.forEach(waiters -> waiters.wake(Wake.NEWS));
    }

    private void take(LogRecord entry, Set<Waiters> toWake) {
        var inbox = inboxes.find(key(entry));
        if (OF_DEVICES.contains(entry.kind())) {
            takeOfDevice(entry, inbox, toWake);
            return;
        }
        var record = read(entry);
        if (record == null) {
            if (inbox != null && inbox.data().isNewTo(entry.pos())) {
                inbox.data().forget(); // loaded again by the next request
                toWake.add(inbox.waiters());
            }
            return;
        }
        switch (record) {
            case AccountDataSet set
            when inbox != null -> {
                inbox.data().apply(set, entry.pos());
                toWake.add(inbox.waiters());
            }
            case ProfileSet set when inbox != null -> inbox.setProfile(set); // clients learn names from member events
            case AccountDataSet _, ProfileSet _ -> {}
            case AccountChanged _ -> {} // never wanted: session entries suffice
            case SessionEnded(var device) -> endSession(entry, inbox, device, Wake.SESSION_ENDED);
            case SessionLocked(var device) -> endSession(entry, inbox, device, Wake.SESSION_LOCKED);
        }
    }

    private void endSession(LogRecord entry, @Nullable Inbox inbox, DeviceId device, Wake reason) {
        sessionEnds.add(key(entry), device);
        if (inbox != null) {
            inbox.waiters().wake(device, reason);
        }
    }

    /** An entry without text was skipped before the inbox existed; the inbox's first request reads auth-service. */
    private static void takeOfDevice(LogRecord entry, @Nullable Inbox inbox, Set<Waiters> toWake) {
        if (inbox == null || entry.body().isEmpty()) {
            return;
        }
        if (entry.kind().equals(DeviceLogRecord.TO_DEVICE)) {
            inbox.devices().message(DeviceLogText.device(entry.body()), entry.pos());
        } else {
            takeKeys(entry, inbox);
        }
        toWake.add(inbox.waiters());
    }

    private static void takeKeys(LogRecord entry, Inbox inbox) {
        try {
            switch (DeviceLogText.read(entry.kind(), entry.body())) {
                case KeyCountsSet set -> {
                    var counts = new KeyCounts(set.oneTimeKeys(), set.unusedFallback());
                    inbox.devices().counts(set.device(), counts, entry.pos());
                }
                case DeviceKeysChanged(var user) -> inbox.devices().keysChanged(user, entry.pos());
                case null, default -> {}
            }
        } catch (RuntimeException e) {
            logUnreadable(entry, e);
            inbox.devices().forgetCounts(); // loaded again by the next request
        }
    }

    /** Null for an entry that was skipped and is needed since a moment ago, or is unreadable. */
    private static @Nullable UserLogRecord read(LogRecord entry) {
        if (entry.body().isEmpty()) {
            return null;
        }
        try {
            return UserLogText.read(entry.kind(), entry.body());
        } catch (RuntimeException e) {
            logUnreadable(entry, e);
            return null;
        }
    }

    private static void logUnreadable(LogRecord entry, RuntimeException failure) {
        log.atError()
                .addKeyValue("shard", entry.shard())
                .addKeyValue("pos", entry.pos())
                .setCause(failure)
                .log("an entry cannot be read");
    }

    /** Takes auth-service's answer, and the changes gathered since the call. */
    synchronized void install(Inbox inbox, AccountDataClient.Snapshot snapshot) {
        if (progress.now().epoch() != snapshot.epoch()) {
            throw ApiException.unavailable("the server was restored this moment, try again");
        }
        inbox.data().install(snapshot.items(), snapshot.pos());
        inbox.devices().listen(snapshot.pos());
    }

    private static TenantUser key(LogRecord entry) {
        return new TenantUser(entry.tenant(), Objects.requireNonNull(entry.subject()));
    }
}
