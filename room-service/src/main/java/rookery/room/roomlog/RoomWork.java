// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.PageBytes;
import rookery.platform.json.CanonicalJson;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.CoreState;
import rookery.room.authorization.PowerLevels;
import rookery.room.authorization.RoomState;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import rookery.room.roomlog.CachedRoom.RowInRun;
import rookery.room.roomlog.Rooms.RoomHead;
import rookery.room.roomlog.ShardRuns.Run;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import tools.jackson.databind.node.ObjectNode;

/** A room while a batch is judged: each draft sees the effects of the drafts before; nothing is shared before the commit. */
final class RoomWork implements RoomState {
    private static final long MANY = 1_000;

    final TenantRoom key;
    private final CachedRoom cached;
    /** The row as of the beginning of the batch; null for a room that the batch creates. */
    private final @Nullable RoomHead row;
    /** Whether bans of the predecessor are still to be copied. */
    final boolean moreBans;

    private final Map<StateKey, StateValue> values = new HashMap<>();
    private final Map<UserId, Membership> learned = new HashMap<>();
    private final List<StateKey> changed = new ArrayList<>();
    private CoreState core;
    private long statePos;
    private long events;
    private int joined;
    private int invited;
    private boolean published;
    private long stateBytes;

    RoomWork(TenantRoom key) {
        this.key = key;
        this.cached = new CachedRoom(0, CoreState.NONE);
        this.row = null;
        this.core = CoreState.NONE;
        this.moreBans = false;
    }

    RoomWork(RoomHead head, CachedRoom cached) {
        this.key = head.key();
        this.cached = cached;
        this.row = head;
        this.moreBans = head.moreBans();
        this.core = cached.core();
        this.statePos = cached.statePos();
        this.events = MANY;
        this.joined = head.joined();
        this.invited = head.invited();
        this.published = head.published();
        this.stateBytes = head.stateBytes();
    }

    boolean isAllowed(Candidate candidate) {
        return AuthRules.judge(this, candidate) instanceof Allowed;
    }

    /** M_FORBIDDEN with the reason of the refusing rule. */
    void require(Candidate candidate) {
        if (AuthRules.judge(this, candidate) instanceof Denied(String reason)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, reason);
        }
    }

    /** Whether the room is in the room directory, which is not part of the state. */
    boolean isPublished() {
        return published;
    }

    void setPublished(boolean now) {
        published = now;
    }

    /** Takes a value from the database; {@code null} for a piece of state without an event. */
    void learn(StateKey state, @Nullable StateValue value) {
        if (value != null) {
            values.put(state, value);
        }
        if (state.type().equals(EventTypes.MEMBER)) {
            var membership = value == null ? Membership.LEAVE : membership(value.content());
            learned.put(new UserId(state.key()), membership);
        }
    }

    /** Takes a ban of the predecessor for a user without a membership in the room. */
    void learnBan(UserId user) {
        if (isBannable(user)) {
            learned.put(user, Membership.BAN);
        }
    }

    /** Whether a ban of the predecessor applies to the user, too: the creators of the room cannot be banned. */
    boolean isBannable(UserId user) {
        return !core.creators().unbounded().contains(user);
    }

    boolean knows(UserId user) {
        return learned.containsKey(user) || cached.members().containsKey(user);
    }

    void apply(String type, @Nullable String stateKey, StateValue value) {
        events++;
        if (stateKey == null) {
            return;
        }
        if (type.equals(EventTypes.MEMBER)) {
            count(new UserId(stateKey), membership(value.content()));
        }
        replace(new StateKey(type, stateKey), value, value.pos());
    }

    /** Replaces a piece of state by an event at the position, or by the redacted event of a redaction at the position. */
    void replace(StateKey key, StateValue value, long at) {
        stateBytes += growth(key, value.content());
        values.put(key, value);
        changed.add(key);
        statePos = at;
        core = core.after(key.type(), key.key(), value.sender(), value.content());
    }

    /** The growth of the state in bytes. Member events do not count, because each has a limit of its own. */
    long growth(StateKey key, ObjectNode content) {
        if (key.type().equals(EventTypes.MEMBER)) {
            return 0;
        }
        var before = values.get(key);
        long names = before == null ? PageBytes.of(key.type()) + PageBytes.of(key.key()) : 0;
        return names + bytes(content) - (before == null ? 0 : bytes(before.content()));
    }

    private static long bytes(ObjectNode content) {
        return PageBytes.of(CanonicalJson.write(content));
    }

    long stateBytes() {
        return stateBytes;
    }

    private void count(UserId user, Membership after) {
        var before = membership(user);
        joined += (after == Membership.JOIN ? 1 : 0) - (before == Membership.JOIN ? 1 : 0);
        invited += (after == Membership.INVITE ? 1 : 0) - (before == Membership.INVITE ? 1 : 0);
        learned.put(user, after);
    }

    void vouch(UserId sponsor) {
        learned.putIfAbsent(sponsor, Membership.JOIN);
    }

    @Nullable
    StateValue value(StateKey state) {
        return values.get(state);
    }

    boolean hasHeardOf(UserId user) {
        return values.containsKey(StateKey.member(user));
    }

    Map<UserId, Membership> knownMembers() {
        return learned;
    }

    /** The keys that the batch has changed, with repetitions. */
    List<StateKey> changed() {
        return changed;
    }

    /** @param run the run of the shard that the batch has continued */
    CachedRoom toCached(Run run) {
        return cached.after(
                this,
                row == null
                        ? null
                        : new RowInRun(
                                run,
                                new RoomHead(
                                        key,
                                        row.creator(),
                                        statePos,
                                        joined,
                                        invited,
                                        published,
                                        stateBytes,
                                        moreBans)));
    }

    @Override
    public CoreState core() {
        return core;
    }

    PowerLevels power() {
        return core.power();
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public Membership membership(UserId user) {
        var membership = learned.get(user);
        return membership != null ? membership : cached.members().getOrDefault(user, Membership.LEAVE);
    }

    long statePos() {
        return statePos;
    }

    int joined() {
        return joined;
    }

    int invited() {
        return invited;
    }

    static Membership membership(ObjectNode content) {
        return content.path("membership")
                .stringValueOpt()
                .flatMap(Membership::of)
                .orElse(Membership.LEAVE);
    }
}
