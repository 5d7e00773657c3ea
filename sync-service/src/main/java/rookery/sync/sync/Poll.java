package rookery.sync.sync;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.filter.SyncFilter;
import rookery.model.id.DeviceId;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.UserData.IgnoreList;
import rookery.sync.waiting.Waiter;

/** One request while it is served: who asks for what, and how far its token has moved past what nobody needs to be told. */
final class Poll {
    final TokenOwner owner;
    final DeviceId device;
    final SyncQuery query;
    final SyncFilter filter;
    final Inbox inbox;
    final Waiter waiter;
    private final long beganNanos = System.nanoTime();
    private @Nullable SyncToken since;
    private boolean fresh;
    private boolean woken;
    private IgnoreList ignoreList;

    Poll(Caller caller, SyncQuery query, SyncFilter filter, @Nullable SyncToken since, Inbox inbox) {
        this.owner = new TokenOwner(caller.tenant(), caller.user());
        this.device = caller.device();
        this.query = query;
        this.filter = filter;
        this.since = since;
        this.inbox = inbox;
        this.waiter = inbox.waiters().enter(device);
        this.ignoreList = inbox.data().ignoreList();
    }

    void close() {
        inbox.waiters().leave(waiter);
    }

    @Nullable
    SyncToken since() {
        return since;
    }

    /** Takes the ignore list as it is now: the same for all parts of an answer, however it changes while that is made. */
    void seeIgnored() {
        ignoreList = inbox.data().ignoreList();
    }

    IgnoreList ignoreList() {
        return ignoreList;
    }

    Set<String> ignored() {
        return ignoreList.users();
    }

    /** Whether it has waited, and been woken. */
    boolean wasWoken() {
        return woken;
    }

    /** There was nothing to say up to here: the next look begins here. */
    void moveTo(SyncToken token) {
        since = token;
        woken = true;
    }

    /** Whether the reader does not want to wait, and must be told everything that was committed when they asked. */
    boolean isAnsweredAtOnce() {
        return since == null || query.fullState() || query.timeout().isZero();
    }

    /** True once. */
    boolean isFirstLook() {
        boolean first = !fresh;
        fresh = true;
        return first;
    }

    Duration left(Duration timeout) {
        var left = timeout.minusNanos(System.nanoTime() - beganNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
