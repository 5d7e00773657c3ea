// SPDX-License-Identifier: Apache-2.0
package rookery.sync.online;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import rookery.platform.ephemeral.EphemeralPublisher;
import rookery.platform.tenant.Tenants;
import rookery.sync.inbox.FollowedLogs;
import rookery.sync.inbox.Inbox;
import rookery.sync.presence.PresenceProperties;
import rookery.sync.presence.PresenceSets;

/**
 * Publishes the presence of users connected to this node, after changes and at intervals: presence without renewal expires. A
 * user with a newer record from another node belongs to the other node.
 */
@Component
public class PresenceKeeper {
    private static final int PUBLISHED_AT_ONCE = 500;
    /** Presence survives one lost renewal. */
    private static final int REPEATS = 2;

    private final PresenceSets sets;
    private final PresenceProperties properties;
    private final Tenants tenants;
    private final EphemeralPublisher publisher;
    private final FollowedLogs logs;
    private final Clock clock;
    private final Map<TenantUser, ServedUser> users = new ConcurrentHashMap<>();

    PresenceKeeper(
            PresenceSets sets,
            PresenceProperties properties,
            Tenants tenants,
            EphemeralPublisher publisher,
            FollowedLogs logs,
            Clock clock) {
        this.sets = sets;
        this.properties = properties;
        this.tenants = tenants;
        this.publisher = publisher;
        this.logs = logs;
        this.clock = clock;
    }

    /** A device starts a sync with the given presence; needs a later {@link #left}. */
    public void entered(Inbox inbox, DeviceId device, String state) {
        if (tenants.hasPresence(inbox.key().tenant())) {
            users.compute(
                    inbox.key(),
                    (_, present) -> (present == null ? new ServedUser(inbox) : present)
                            .entered(inbox, device, state, System.nanoTime(), clock.millis()));
        }
    }

    public void left(Inbox inbox, DeviceId device, String state) {
        users.computeIfPresent(inbox.key(), (_, present) -> present.left(device, state, System.nanoTime()));
    }

    /** Sets presence by request of the user; this node knows the new value on return. */
    void set(Inbox inbox, DeviceId device, String state, @Nullable String statusMsg) {
        var served = users.compute(
                inbox.key(),
                (_, present) -> (present == null ? new ServedUser(inbox) : present)
                        .set(inbox, device, state, statusMsg, System.nanoTime(), clock.millis()));
        publishIfDue(inbox.key(), served);
    }

    @Scheduled(fixedDelayString = "${rookery.sync.presence.round:1s}")
    void publish() {
        int published = 0;
        for (var key : users.keySet()) {
            if (published >= PUBLISHED_AT_ONCE) {
                return; // the others in the next round
            }
            var served = users.get(key);
            if (served != null && publishIfDue(key, served)) {
                published++;
            }
        }
    }

    private boolean publishIfDue(TenantUser key, ServedUser served) {
        if (!served.inbox().memberships().isKnown()) { // not loaded yet, or not any more
            served.forgetGone(System.nanoTime(), properties.offlineAfter().toNanos());
            users.computeIfPresent(key, (_, present) -> present.isDeserted() ? null : present);
            return false;
        }
        var latest = sets.find(key.tenant(), key.user());
        if (latest != null && served.isOvertakenBy(latest.ts())) {
            users.remove(key, served);
            return false;
        }
        long nanos = System.nanoTime();
        var presence = presence(key, served, nanos, latest == null ? 0 : latest.ts());
        boolean due = served.isDue(presence, nanos, properties.repeatEvery().toNanos());
        if (due) {
            served.published(presence, nanos);
            publisher.publish(presence);
            sets.take(presence, nanos);
        }
        served.forgetGone(nanos, properties.offlineAfter().toNanos());
        users.computeIfPresent(key, (_, present) -> present.isOver() ? null : present);
        return due;
    }

    private PresenceSet presence(TenantUser key, ServedUser served, long nanos, long latestTs) {
        var now = served.now(nanos, clock.millis(), properties);
        var profile = served.inbox().profile();
        var rooms = served.inbox().memberships().joinedRooms(logs.rooms().now().positions()).stream()
                .limit(properties.roomsMax())
                .map(RoomId::hash)
                .toList();
        return new PresenceSet(
                key.tenant(),
                key.user(),
                now.state(),
                now.statusMsg(),
                now.activeMillis(),
                properties.repeatEvery().toMillis() * REPEATS,
                profile == null ? null : profile.displayname(),
                profile == null ? null : profile.avatarUrl(),
                rooms,
                Math.max(clock.millis(), latestTs + 1)); // later than the known record, whatever the clocks show
    }
}
