package rookery.sync.answer;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Prefix;
import rookery.model.filter.SyncFilter;
import rookery.model.id.DeviceId;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.platform.http.AnswerReservation;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.UserData.Settings;
import rookery.sync.waiting.Waiter;

/** One request while it is served: who asks for what, and how far its token has moved past what nobody needs to be told. */
public final class Poll {
    public final TokenOwner owner;
    public final DeviceId device;
    public final Prefix prefix;
    public final SyncQuery query;
    public final SyncFilter filter;
    public final Inbox inbox;
    public final Waiter waiter;
    /** What the answer takes of the memory for answers. */
    public final AnswerReservation reservation;

    private final long beganNanos = System.nanoTime();
    private @Nullable SyncToken asked;
    private @Nullable SyncToken since;
    private boolean fresh;
    private boolean woken;
    private boolean tooLarge;
    private @Nullable Settings settings;

    /** Begins to listen; to be followed by {@link #close}. */
    public Poll(
            Caller caller,
            SyncQuery query,
            SyncFilter filter,
            @Nullable SyncToken since,
            Inbox inbox,
            AnswerReservation reservation) {
        this.reservation = reservation;
        this.owner = new TokenOwner(caller.tenant(), caller.user());
        this.device = caller.device();
        this.prefix = caller.prefix();
        this.query = query;
        this.filter = filter;
        this.asked = since;
        this.since = since;
        this.inbox = inbox;
        this.waiter = inbox.waiters().enter(device);
    }

    /** The request is over. */
    public void close() {
        inbox.waiters().leave(waiter);
    }

    /** From where it looks next; null for everything. */
    public @Nullable SyncToken since() {
        return since;
    }

    /**
     * Takes the settings as they are now: the same for all parts of an answer, however they change while the answer is made. When the
     * ignore list or the permission to invite is another one than before, the request looks again at everything since its token: the
     * old settings may have hidden events and invitations that the new settings show.
     */
    void takeSettings() {
        var now = inbox.data().settings();
        var before = settings;
        if (before != null
                && (!now.ignored().equals(before.ignored()) || now.blocksInvites() != before.blocksInvites())) {
            since = asked;
        }
        settings = now;
    }

    public Settings settings() {
        return Objects.requireNonNull(settings, "nothing was looked at yet");
    }

    /** Whether it has waited, and been woken. */
    public boolean wasWoken() {
        return woken;
    }

    /** The token is from beyond the logs. */
    public void cutBackTo(SyncToken token) {
        asked = token;
        since = token;
    }

    /** There was nothing to say up to here: the next look begins here. */
    public void moveTo(SyncToken token) {
        since = token;
        woken = true;
    }

    /** Whether the reader does not want to wait, and must be told everything that was committed when they asked. */
    public boolean isAnsweredAtOnce() {
        return since == null || query.fullState() || query.timeout().isZero();
    }

    /** Whether everything is told, in parts: it is wanted, or what is new is too large to be held at once. */
    boolean tellsAll() {
        return query.fullState() || tooLarge;
    }

    /** What is new since the token does not fit into the memory for answers; true once. */
    public boolean isNowTooLarge() {
        boolean isNews = !tooLarge && reservation.isBeyondAll();
        tooLarge |= isNews;
        return isNews;
    }

    /** True once. */
    public boolean isFirstLook() {
        boolean first = !fresh;
        fresh = true;
        return first;
    }

    /** How much is left of that time since it began. */
    public Duration left(Duration timeout) {
        var left = timeout.minusNanos(System.nanoTime() - beganNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
