package rookery.sync.inbox;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.sync.unread.UserUnread;
import rookery.sync.waiting.Waiters;

/** What this node knows of one connected user, and the user's waiting requests. */
public final class Inbox {
    private final TenantUser key;
    private final Waiters waiters = new Waiters();
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

    Inbox(TenantUser key) {
        this.key = key;
        this.data = new UserData(key.user());
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

    /** What waits for the user's devices, as far as they were here. */
    public DeviceStates devices() {
        return devices;
    }

    /** What the user has not read, as far as it was asked for. */
    public UserUnread unread() {
        return unread;
    }

    /** When the user last did something in a room, as far as it was seen here; 0 if never. */
    public long activeMillis() {
        return activeMillis;
    }

    void setActive(long millis) {
        activeMillis = millis;
    }

    /** How the user is shown; null if that has not changed since they connected. */
    public @Nullable ProfileSet profile() {
        return profile;
    }

    void setProfile(ProfileSet set) {
        profile = set;
    }

    boolean isLoaded() {
        return memberships.isKnown() && data.isKnown();
    }

    /** The load that is under way, or a new one: requests that come together share it. */
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

    /** Whether it is time to ask for the push rules again. */
    synchronized boolean triesRules(long nanos, long pauseNanos) {
        if (data.hasRules() || nanos - nextRulesTry < 0) {
            return false;
        }
        nextRulesTry = nanos + pauseNanos;
        return true;
    }
}
