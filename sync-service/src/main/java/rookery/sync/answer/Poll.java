// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Prefix;
import rookery.model.filter.SyncFilter;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.token.Mark;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.platform.http.AnswerReservation;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.UserData.Settings;
import rookery.sync.waiting.Waiter;

/** One sync request in progress: the caller, the query, and the token, which advances past changes that need no answer. */
public class Poll {
    public final TokenOwner reader;
    public final DeviceId device;
    public final Prefix prefix;
    public final SyncQuery query;
    public final SyncFilter filter;
    public final Inbox inbox;
    public final Waiter waiter;
    public final Answering answering;
    /** The request's share of the memory for answers. */
    public final AnswerReservation reservation;

    private final long beganNanos = System.nanoTime();
    private @Nullable SyncToken clientToken;
    private @Nullable SyncToken since;
    private boolean looked;
    private boolean woken;
    private boolean tooLarge;
    private @Nullable Settings settings;

    /** Registers a waiter; every constructor call needs a {@link #close}. */
    public Poll(
            Caller caller,
            Prefix prefix,
            SyncQuery query,
            SyncFilter filter,
            @Nullable SyncToken since,
            Inbox inbox,
            AnswerReservation reservation,
            Answering answering) {
        this.answering = answering;
        this.reservation = reservation;
        this.reader = new TokenOwner(caller.tenant(), caller.user());
        this.device = caller.device();
        this.prefix = prefix;
        this.query = query;
        this.filter = filter;
        this.clientToken = since;
        this.since = since;
        this.inbox = inbox;
        this.waiter = inbox.waiters().enter(device);
    }

    /** Whether answers contain this stream. */
    public boolean takes(SyncStream stream) {
        return true;
    }

    /** Whether the answer of the current look contains this stream's content of the room. */
    public boolean takes(SyncStream stream, RoomId room) {
        return true;
    }

    /** Whether the answer of the current look may contain the room. */
    public boolean covers(RoomId room) {
        return true;
    }

    /** Whether the answer of the current look shows the room as a new one, although the user has been joined for longer. */
    public boolean showsAsNew(RoomId room) {
        return false;
    }

    /** The position in the user log up to which the device has received its messages. */
    public long messagesReceived() {
        return since == null ? 0 : messagesReceived(since);
    }

    protected static long messagesReceived(SyncToken token) {
        long mark = token.marks().of(Mark.TO_DEVICE);
        return mark == 0 ? token.userPos() : Math.min(mark, token.userPos()); // smaller after the log was cut back
    }

    /** Whether the device says what it has received: its messages up to there are deleted. */
    public boolean acknowledgesMessages() {
        return since != null;
    }

    public void close() {
        inbox.waiters().leave(waiter);
    }

    /** The token from which the next look starts; null for a complete answer. */
    public @Nullable SyncToken since() {
        return since;
    }

    /**
     * Reads the current settings, once for all parts of an answer. After a change of the ignore list or of the permission to
     * invite, the request starts again at the client's token: the old settings may have hidden events and invitations that the
     * new settings show.
     */
    void takeSettings() {
        var now = inbox.data().settings();
        var before = settings;
        if (before != null
                && (!now.ignored().equals(before.ignored()) || now.blocksInvites() != before.blocksInvites())) {
            beginAgain();
        }
        settings = now;
    }

    /** Starts the next look at the client's token. */
    protected void beginAgain() {
        since = clientToken;
    }

    public Settings settings() {
        return Objects.requireNonNull(settings, "nothing was looked at yet");
    }

    /** Whether an event has woken the request from a wait. */
    public boolean wasWoken() {
        return woken;
    }

    /** Replaces a client token that is ahead of the logs. */
    public void cutBackTo(SyncToken token) {
        clientToken = token;
        since = token;
    }

    /** Waits on after changes that need no answer, from the token after them. */
    public void waitAfter(SyncToken token) {
        waitFrom(token);
    }

    /** The token from which the request waits: past changes that need no answer, and before news that gather. */
    public void waitFrom(SyncToken token) {
        since = token;
        woken = true;
    }

    /** Whether the request never waits. Such a request must see everything that was committed before the request. */
    public boolean isAnsweredAtOnce() {
        return since == null || query.fullState() || query.timeout().isZero();
    }

    /** Whether the answer is complete: by {@code full_state}, or because the changes exceed the memory for one answer. */
    boolean isComplete() {
        return query.fullState() || tooLarge;
    }

    /** Whether the changes have exceeded the memory for answers. */
    public final boolean isTooLarge() {
        return tooLarge;
    }

    /** Whether the changes have just exceeded the memory for answers. True at most once for each request. */
    public boolean isNowTooLarge() {
        boolean isNews = !tooLarge && reservation.isBeyondAll();
        tooLarge |= isNews;
        return isNews;
    }

    /** True for the first call. */
    public boolean isFirstLook() {
        boolean first = !looked;
        looked = true;
        return first;
    }

    /** The rest of the timeout, counted from the start of the request. */
    public Duration left(Duration timeout) {
        var left = timeout.minusNanos(System.nanoTime() - beganNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
