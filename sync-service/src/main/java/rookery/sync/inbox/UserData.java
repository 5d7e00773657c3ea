package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.error.ApiException;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.sync.unread.CountSettings;
import rookery.sync.unread.RulesText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A connected user's account data, the newest of each type, with the position at which it was set. */
public final class UserData {
    private static final Logger log = LoggerFactory.getLogger(UserData.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserId owner;
    private final Map<Key, Item> items = new LinkedHashMap<>();
    private final List<Item> gathered = new ArrayList<>();
    private boolean gathering;
    private boolean known;
    private long snapshotAt;
    /** How often anything has changed here. */
    private long version;

    private Set<String> ignored = Set.of();
    private boolean blocksInvites;
    /** The rules as push-service merges them, or as they were set since. */
    private @Nullable RulesText pushRules;
    /** Default rules of this user, for as long as push-service cannot be asked. */
    private @Nullable RulesText assumedRules;

    /** One type's content, of a room or (without one) global. */
    public record Item(@Nullable RoomId room, String type, String content, long pos) {}

    private record Key(@Nullable RoomId room, String type) {}

    UserData(UserId owner) {
        this.owner = owner;
    }

    /** See {@link RoomMemberships#gather}. */
    synchronized void gather() {
        forget();
        gathering = true;
    }

    synchronized void forget() {
        gathering = false;
        known = false;
        gathered.clear();
        items.clear();
        ignored = Set.of();
        blocksInvites = false;
        pushRules = null;
        assumedRules = null;
        version++;
    }

    synchronized boolean isKnown() {
        return known;
    }

    /** What is forgotten is not nothing: a token that went by it would pass by what was not told. */
    private void needKnown() {
        if (!known) {
            throw RoomMemberships.overtaken();
        }
    }

    synchronized boolean isNewTo(long pos) {
        return known && pos > snapshotAt;
    }

    synchronized void install(List<Item> snapshot, long at) {
        if (!gathering) {
            throw RoomMemberships.overtaken();
        }
        snapshot.forEach(this::put);
        snapshotAt = at;
        known = true;
        gathering = false;
        gathered.forEach(this::applyNewer);
        gathered.clear();
        version++;
    }

    /** What push-service says, unless the rules were set meanwhile. */
    synchronized void installRules(RulesText rules) {
        if (pushRules == null) {
            pushRules = rules;
            version++;
        }
    }

    /** What push-service would say if the user never set any. */
    synchronized void assumeRules(RulesText rules) {
        assumedRules = rules;
        version++;
    }

    synchronized void apply(AccountDataSet set, long pos) {
        var item = new Item(set.room(), set.type(), set.contentJson(), pos);
        if (gathering) {
            gathered.add(item);
        } else if (known) {
            applyNewer(item);
        }
    }

    private void applyNewer(Item item) {
        if (item.pos <= snapshotAt) {
            return;
        }
        put(item);
        version++;
        if (item.room == null && item.type.equals(AccountDataTypes.PUSH_RULES)) {
            pushRules = new RulesText(owner, item.content);
        }
    }

    private void put(Item item) {
        items.put(new Key(item.room, item.type), item);
        if (item.room == null && item.type.equals(AccountDataTypes.IGNORED_USERS)) {
            ignored = users(item.content);
        }
        if (item.room == null && item.type.equals(AccountDataTypes.INVITE_PERMISSION)) {
            blocksInvites = JSON.readTree(item.content)
                    .path("default_action")
                    .asString("")
                    .equals("block");
        }
    }

    private Set<String> users(String content) {
        try {
            var users =
                    new HashSet<>(JSON.readTree(content).path("ignored_users").propertyNames());
            users.removeIf(user -> !isUser(user)); // people write all sorts of things there
            users.remove(owner.value()); // nobody ignores themselves: what they say on one device is told on the others
            return Set.copyOf(users);
        } catch (JacksonException e) {
            log.atError().setCause(e).log("an ignore list cannot be read");
            return Set.of();
        }
    }

    private static boolean isUser(String text) {
        try {
            return new UserId(text).value().equals(text);
        } catch (ApiException e) {
            return false;
        }
    }

    /** What was set in {@code (since, upto]}, global and of rooms, in order. */
    public synchronized List<Item> changed(long since, long upto) {
        needKnown();
        var changed = new ArrayList<Item>();
        for (var item : items.values()) {
            if (item.pos > since && item.pos <= upto) {
                changed.add(item);
            }
        }
        return changed;
    }

    /** Everything that is set for a room. */
    public synchronized List<Item> of(RoomId room) {
        needKnown();
        return items.values().stream().filter(item -> room.equals(item.room)).toList();
    }

    /**
     * What decides whom an answer leaves out, and which events it counts, all as of one moment.
     *
     * @param ignoreList content of {@code m.ignored_user_list}; of a user who never set any, the empty list
     * @param hasRules whether the rules are known; otherwise they are provisional, or missing
     * @param blocksInvites whether the user wants no invitations
     */
    public record Settings(String ignoreList, boolean hasRules, CountSettings counts, boolean blocksInvites) {
        public Set<String> ignored() {
            return counts.ignored();
        }
    }

    /** As of now. */
    public synchronized Settings settings() {
        needKnown();
        var list = items.get(new Key(null, AccountDataTypes.IGNORED_USERS));
        long at = Math.max(pos(AccountDataTypes.PUSH_RULES), pos(AccountDataTypes.IGNORED_USERS));
        return new Settings(
                list == null || list.content.equals(AccountDataTypes.DELETED) ? "{\"ignored_users\":{}}" : list.content,
                hasRules(),
                new CountSettings(pushRules(), ignored, at, version),
                blocksInvites);
    }

    /** Content of {@code m.push_rules}; null as long as nobody could tell them. */
    public synchronized @Nullable RulesText pushRules() {
        if (pushRules != null) {
            return pushRules;
        }
        var stored = items.get(new Key(null, AccountDataTypes.PUSH_RULES));
        return stored == null ? assumedRules : new RulesText(owner, stored.content);
    }

    private long pos(String type) {
        var stored = items.get(new Key(null, type));
        return stored == null ? 0 : stored.pos;
    }

    /** Whether the rules are as good as they can be. */
    synchronized boolean hasRules() {
        return pushRules != null;
    }
}
