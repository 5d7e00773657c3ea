// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.sync.unread.UserUnread;
import rookery.sync.waiting.Gathering;
import rookery.sync.waiting.Waiters;

/** A connected user's state on this node, and the user's waiting requests. */
public final class Inbox {
    private final TenantUser key;
    private final Waiters waiters;
    private final RoomMemberships memberships = new RoomMemberships();
    private final UserData data;
    private final DeviceStates devices = new DeviceStates();
    private final UserUnread unread = new UserUnread();
    private @Nullable Mono<Void> loading;
    private volatile long activeMillis;
    private volatile @Nullable ProfileSet profile;
    private long nextRulesTry = System.nanoTime();
    /** Guarded by {@link Inboxes}. */
    int requests;
    /** Guarded by {@link Inboxes}. */
    long leftNanos;

    Inbox(TenantUser key, Gathering gathering, DataBudget budget) {
        this.key = key;
        this.waiters = new Waiters(gathering);
        this.data = new UserData(key, budget);
    }

    public TenantUser key() {
        return key;
    }

    public Waiters waiters() {
        return waiters;
    }

    public RoomMemberships memberships() {
        return memberships;
    }

    public UserData data() {
        return data;
    }

    /** The user's devices that have synced on this node. */
    public DeviceStates devices() {
        return devices;
    }

    /** The user's unread counts. */
    public UserUnread unread() {
        return unread;
    }

    /** The time of the user's last event that this node has followed, in milliseconds since the epoch; 0 if unknown. */
    public long activeMillis() {
        return activeMillis;
    }

    void setActive(long millis) {
        activeMillis = millis;
    }

    /** The user's profile; null before the first change since the user connected. */
    public @Nullable ProfileSet profile() {
        return profile;
    }

    void setProfile(ProfileSet set) {
        profile = set;
    }

    boolean isLoaded() {
        return memberships.isKnown() && data.isKnown();
    }

    /** Starts the load, or joins the running load of another request. */
    synchronized Mono<Void> loading(Mono<Void> load) {
        var running = loading;
        if (running == null) {
            running = load.doFinally(_ -> loadingEnded()).cache();
            loading = running;
        }
        return running;
    }

    private synchronized void loadingEnded() {
        loading = null;
    }

    /** Whether to read the push rules again now; a true result starts the next pause. */
    synchronized boolean triesRules(long nanos, long pauseNanos) {
        if (data.hasRules() || nanos - nextRulesTry < 0) {
            return false;
        }
        nextRulesTry = nanos + pauseNanos;
        return true;
    }
}
