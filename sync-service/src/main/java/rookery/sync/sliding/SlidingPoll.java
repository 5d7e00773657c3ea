// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Prefix;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.model.filter.SyncFilter;
import rookery.model.id.RoomId;
import rookery.model.token.SyncToken;
import rookery.platform.http.AnswerReservation;
import rookery.sync.answer.Answering;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncQuery;
import rookery.sync.answer.SyncQuery.RoomState;
import rookery.sync.answer.SyncStream;
import rookery.sync.inbox.Inbox;
import rookery.sync.sliding.Connections.StoredState;

/** A request of sliding sync in progress. */
final class SlidingPoll extends Poll {
    private static final int ROOMS_MAX = 100;

    final SlidingRequest request;
    final ConnectionKey connection;
    private final @Nullable SyncToken messagesToken;
    private @Nullable StoredState base;
    private ConnectionState state = ConnectionState.EMPTY;
    /** Of the current look; null while the request waits. */
    private @Nullable Plan plan;

    private @Nullable UserRooms userRooms;
    private Map<String, Integer> counts = Map.of();

    /**
     * @param since the token in {@code pos}
     * @param messagesToken the token in {@code since} of the extension {@code to_device}
     */
    SlidingPoll(
            Caller caller,
            SlidingRequest request,
            @Nullable SyncToken since,
            @Nullable SyncToken messagesToken,
            Inbox inbox,
            AnswerReservation reservation,
            Answering answering) {
        super(
                caller,
                Prefix.STANDARD,
                query(request),
                filter(request, caller.user().value()),
                since,
                inbox,
                reservation,
                answering);
        this.request = request;
        this.messagesToken = messagesToken;
        this.connection = new ConnectionKey(inbox.key(), caller.device(), request.connection());
    }

    static SyncQuery query(SlidingRequest request) {
        return new SyncQuery(null, request.pos(), request.timeout(), false, RoomState.AFTER, request.presence());
    }

    private static SyncFilter filter(SlidingRequest request, String reader) {
        var state = new EventFilter(
                null, null, null, null, null, null, null, null, !request.needsAllMembers(reader), false, false);
        var timeline = new EventFilter(
                request.timelineLimitMax(), null, null, null, null, null, null, null, false, false, false);
        var rooms = new RoomFilter(null, null, false, state, timeline, EventFilter.ALL, EventFilter.ALL);
        return new SyncFilter(EventFilter.ALL, EventFilter.ALL, rooms);
    }

    /** The state that belongs to the client's token; null before {@link #begin(StoredState)}. */
    @Nullable
    StoredState base() {
        return base;
    }

    void begin(StoredState stored) {
        base = stored;
        state = stored.state();
    }

    /** The state at the position from which the next look starts. */
    ConnectionState state() {
        return state;
    }

    void begin(Plan ofLook, UserRooms user) {
        plan = ofLook;
        userRooms = user;
    }

    Plan plan() {
        return Objects.requireNonNull(plan, "nothing was looked at yet");
    }

    /** The most rooms to read for one answer. */
    int roomsMax() {
        return isTooLarge() ? 1 : ROOMS_MAX;
    }

    @Override
    public void waitAfter(SyncToken token) {
        state = stateAfter();
        counts = plan().window().counts();
        plan = null; // a waiting request keeps little memory
        userRooms = null;
        waitFrom(token);
    }

    /** The state after the answer of the current look, or after the last one while the request waits. */
    ConnectionState stateAfter() {
        return plan == null ? state : plan.stateAfter();
    }

    /** The number of rooms in each list. */
    Map<String, Integer> counts() {
        return plan == null ? counts : plan.window().counts();
    }

    @Nullable
    Plan planOrNull() {
        return plan;
    }

    UserRooms userRooms() {
        return Objects.requireNonNull(userRooms, "nothing was looked at yet");
    }

    @Override
    protected void beginAgain() {
        super.beginAgain();
        state = Objects.requireNonNull(base).state();
    }

    @Override
    public boolean takes(SyncStream stream) {
        var extension = stream.extension();
        return extension == null || request.extensions().containsKey(extension);
    }

    @Override
    public boolean takes(SyncStream stream, RoomId room) {
        var extension = request.extensions().get(String.valueOf(stream.extension()));
        var shown = plan().window().rooms().get(room);
        return extension == null
                || extension.covers(
                        room,
                        shown == null ? List.of() : shown.lists(),
                        request.subscriptions().containsKey(room));
    }

    @Override
    public boolean covers(RoomId room) {
        return plan().covers(room);
    }

    @Override
    public boolean showsAsNew(RoomId room) {
        var planned = plan().of(room);
        return planned != null && planned.isInitial();
    }

    @Override
    public long messagesReceived() {
        return messagesToken == null ? 0 : messagesReceived(messagesToken);
    }

    @Override
    public boolean acknowledgesMessages() {
        return messagesToken != null;
    }
}
