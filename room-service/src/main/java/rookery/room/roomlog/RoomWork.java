package rookery.room.roomlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.PageBytes;
import rookery.platform.json.CanonicalJson;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.PowerLevels;
import rookery.room.authorization.RoomState;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A room while a batch is judged: each draft sees the effects of the drafts before; nothing is shared before the commit. */
final class RoomWork implements RoomState {
    private static final long MANY = 1_000;

    final TenantRoom key;
    private final Map<StateKey, StateValue> values = new HashMap<>();
    private final Map<UserId, Membership> learned = new HashMap<>();
    private final List<StateKey> changed = new ArrayList<>();
    private final @Nullable CachedRoom cached;
    private @Nullable UserId creator;
    private @Nullable ObjectNode powerLevels;
    private PowerLevels power;
    private String joinRule;
    private String visibility;
    private long events;
    private long statePos;
    private int joined;
    private int invited;
    private boolean published;
    private long stateBytes;

    /** A new room. */
    RoomWork(TenantRoom key) {
        this.key = key;
        this.cached = null;
        this.power = PowerLevels.ofCreator(null);
        this.joinRule = "invite";
        this.visibility = HistoryVisibility.SHARED;
    }

    /** An existing room, from the cache or the database. */
    RoomWork(TenantRoom key, CachedRoom cached, int joined, int invited, boolean published, long stateBytes) {
        this.stateBytes = stateBytes;
        this.key = key;
        this.cached = cached;
        this.creator = cached.creator();
        this.powerLevels = cached.powerLevels();
        this.power = cached.power();
        this.joinRule = cached.joinRule();
        this.visibility = cached.visibility();
        this.statePos = cached.statePos();
        this.events = MANY;
        this.joined = joined;
        this.invited = invited;
        this.published = published;
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
        learned.put(user, Membership.BAN);
    }

    boolean knows(UserId user) {
        return learned.containsKey(user) || (cached != null && cached.members().containsKey(user));
    }

    /** Applies an accepted event. */
    void apply(String type, @Nullable String stateKey, StateValue value) {
        events++;
        if (stateKey == null) {
            return;
        }
        var key = new StateKey(type, stateKey);
        if (type.equals(EventTypes.MEMBER)) {
            count(new UserId(stateKey), membership(value.content()));
        }
        adopt(key, value, value.pos());
    }

    /** Applies a redaction of state in force: a new version of the state without a new event for the key. */
    void redact(StateKey key, StateValue stripped, long at) {
        adopt(key, stripped, at);
    }

    private void adopt(StateKey key, StateValue value, long at) {
        stateBytes += growth(key, value.content());
        values.put(key, value);
        changed.add(key);
        statePos = at;
        String stateKey = key.key();
        switch (key.type()) {
            case EventTypes.CREATE -> {
                creator = value.sender();
                power = powerLevels == null ? PowerLevels.ofCreator(creator) : power;
            }
            case EventTypes.POWER_LEVELS -> {
                powerLevels = stateKey.isEmpty() ? value.content() : powerLevels;
                power = stateKey.isEmpty() ? PowerLevels.of(value.content()) : power;
            }
            case EventTypes.JOIN_RULES -> joinRule = stateKey.isEmpty() ? joinRule(value.content()) : joinRule;
            case EventTypes.HISTORY_VISIBILITY ->
                visibility = stateKey.isEmpty() ? visibility(value.content()) : visibility;
            default -> {}
        }
    }

    /**
     * The growth of the state in bytes by a piece with the content. Member events do not count, because each has a
     * limit of its own.
     */
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

    /** The bytes of the state without member events. */
    long stateBytes() {
        return stateBytes;
    }

    private void count(UserId user, Membership after) {
        var before = membership(user);
        joined += (after == Membership.JOIN ? 1 : 0) - (before == Membership.JOIN ? 1 : 0);
        invited += (after == Membership.INVITE ? 1 : 0) - (before == Membership.INVITE ? 1 : 0);
        learned.put(user, after);
    }

    /** Takes a joined member from the database, as a sponsor of a restricted join. */
    void vouch(UserId sponsor) {
        learned.putIfAbsent(sponsor, Membership.JOIN);
    }

    @Nullable
    StateValue value(StateKey state) {
        return values.get(state);
    }

    /** Whether the room has a member event for the user. */
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

    boolean hasChanged() {
        return !changed.isEmpty();
    }

    CachedRoom toCached() {
        return cached != null
                ? cached.after(this)
                : new CachedRoom(
                                statePos,
                                Objects.requireNonNull(creator),
                                powerLevels,
                                power,
                                joinRule,
                                visibility,
                                new java.util.concurrent.ConcurrentHashMap<>())
                        .after(this);
    }

    @Override
    public @Nullable UserId creator() {
        return creator;
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public PowerLevels power() {
        return power;
    }

    @Override
    public boolean hasPowerLevels() {
        return powerLevels != null;
    }

    @Override
    public String joinRule() {
        return joinRule;
    }

    @Override
    public Membership membership(UserId user) {
        var membership = learned.get(user);
        if (membership == null && cached != null) {
            membership = cached.members().get(user);
        }
        return membership == null ? Membership.LEAVE : membership;
    }

    @Nullable
    ObjectNode powerLevels() {
        return powerLevels;
    }

    ObjectNode powerLevelsOrEmpty() {
        return powerLevels == null ? JsonNodeFactory.instance.objectNode() : powerLevels;
    }

    String visibility() {
        return visibility;
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

    static String joinRule(@Nullable ObjectNode content) {
        return text(content, "join_rule", "invite");
    }

    static String visibility(@Nullable ObjectNode content) {
        return text(content, "history_visibility", HistoryVisibility.SHARED);
    }

    static Membership membership(ObjectNode content) {
        return Membership.of(text(content, "membership", "leave")).orElse(Membership.LEAVE);
    }

    private static String text(@Nullable ObjectNode content, String field, String fallback) {
        JsonNode node = content == null ? null : content.get(field);
        return node != null && node.isString() ? node.stringValue() : fallback;
    }
}
