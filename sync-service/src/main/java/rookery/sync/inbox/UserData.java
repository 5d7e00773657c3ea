// SPDX-License-Identifier: Apache-2.0
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
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.sync.unread.CountSettings;
import rookery.sync.unread.RulesText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A connected user's account data: the newest content of each type, with its position. */
public final class UserData {
    private static final Logger log = LoggerFactory.getLogger(UserData.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Of an item beside its text, whose characters have one or two bytes each. */
    private static final int ITEM_BYTES = 200;

    private static final int BYTES_OF_CHARACTER = 2;

    private final UserId owner;
    private final TenantId tenant;
    private final DataBudget budget;
    private final Map<ItemKey, Item> items = new LinkedHashMap<>();
    private final List<Item> gathered = new ArrayList<>();
    private boolean gathering;
    private boolean loaded;
    private long bytes;
    /** The part of {@link #bytes} that the budget knows. */
    private long reserved;
    /** The snapshot's position. */
    private long snapshotAt;
    /** Incremented by each change. */
    private long version;

    private Set<String> ignored = Set.of();
    private boolean blocksInvites;
    /** The merged rules of push-service, or newer rules from the log. */
    private @Nullable RulesText pushRules;
    /** The default rules for this user, used while push-service is not available. */
    private @Nullable RulesText assumedRules;

    /**
     * The content of one type.
     *
     * @param room null for global data
     * @param pos the position of the last change, in the user's shard of the user log
     */
    public record Item(@Nullable RoomId room, String type, String content, long pos) {
        private long bytes() {
            return ITEM_BYTES + (long) BYTES_OF_CHARACTER * (type.length() + content.length());
        }
    }

    private record ItemKey(@Nullable RoomId room, String type) {}

    UserData(TenantUser owner, DataBudget budget) {
        this.owner = owner.user();
        this.tenant = owner.tenant();
        this.budget = budget;
    }

    /** See {@link RoomMemberships#gather}. */
    synchronized void gather() {
        forget();
        gathering = true;
    }

    synchronized void forget() {
        gathering = false;
        loaded = false;
        gathered.clear();
        items.clear();
        bytes = 0;
        reserve(); // never refused
        ignored = Set.of();
        blocksInvites = false;
        pushRules = null;
        assumedRules = null;
        version++;
    }

    synchronized boolean isKnown() {
        return loaded;
    }

    /** A look must not read unloaded data as empty: the next token would skip changes. */
    private void needKnown() {
        if (!loaded) {
            throw RoomMemberships.notLoadedError();
        }
    }

    synchronized boolean isNewTo(long pos) {
        return loaded && pos > snapshotAt;
    }

    /** 503 if all data that this node keeps are too large for more. */
    synchronized void install(List<Item> snapshot, long at) {
        if (!gathering) {
            throw RoomMemberships.notLoadedError();
        }
        snapshot.forEach(this::put);
        if (!reserve()) {
            forget();
            throw ApiException.unavailable(
                    "this user's account data are too large for the memory that is left, try again in a moment");
        }
        snapshotAt = at;
        loaded = true;
        gathering = false;
        gathered.forEach(this::applyNewer);
        gathered.clear();
        version++;
    }

    /** Installs push-service's rules, unless the log has brought newer rules. */
    synchronized void installRules(RulesText rules) {
        if (pushRules == null) {
            pushRules = rules;
            version++;
        }
    }

    /** Installs default rules until push-service answers. */
    synchronized void assumeRules(RulesText rules) {
        assumedRules = rules;
        version++;
    }

    synchronized void apply(AccountDataSet set, long pos) {
        var item = new Item(set.room(), set.type(), set.contentJson(), pos);
        if (gathering) {
            gathered.add(item);
        } else if (loaded) {
            applyNewer(item);
        }
    }

    private void applyNewer(Item item) {
        if (item.pos <= snapshotAt) {
            return;
        }
        put(item);
        version++;
        if (!reserve()) {
            forget(); // the next request loads the data, or is refused
            return;
        }
        if (item.room == null && item.type.equals(AccountDataTypes.PUSH_RULES)) {
            pushRules = new RulesText(owner, item.content);
        }
    }

    private boolean reserve() {
        boolean fits = budget.resize(tenant, reserved, bytes);
        reserved = fits ? bytes : reserved;
        return fits;
    }

    private void put(Item item) {
        var before = items.put(new ItemKey(item.room, item.type), item);
        bytes += item.bytes() - (before == null ? 0 : before.bytes());
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
            users.removeIf(user -> !isUser(user)); // the list is written by clients, without validation
            users.remove(owner.value()); // own events come to all own devices, so ignoring oneself has no effect
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

    /** The data set in {@code (since, upto]}, global and of rooms. */
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

    /** The content of one type; null if never set. */
    public synchronized @Nullable String content(@Nullable RoomId room, String type) {
        needKnown();
        var item = items.get(new ItemKey(room, type));
        return item == null ? null : item.content;
    }

    /** The data of a room. */
    public synchronized List<Item> of(RoomId room) {
        needKnown();
        return items.values().stream().filter(item -> room.equals(item.room)).toList();
    }

    /** Account data that filters and counts events, as of one moment; without {@code hasRules} the rules are provisional. */
    public record Settings(String ignoreList, boolean hasRules, CountSettings counts, boolean blocksInvites) {
        public Set<String> ignored() {
            return counts.ignored();
        }
    }

    public synchronized Settings settings() {
        needKnown();
        var list = items.get(new ItemKey(null, AccountDataTypes.IGNORED_USERS));
        long at = Math.max(pos(AccountDataTypes.PUSH_RULES), pos(AccountDataTypes.IGNORED_USERS));
        return new Settings(
                list == null || list.content.equals(AccountDataTypes.DELETED) ? "{\"ignored_users\":{}}" : list.content,
                hasRules(),
                new CountSettings(pushRules(), ignored, at, version),
                blocksInvites);
    }

    /** The content of {@code m.push_rules}; null if unknown. */
    public synchronized @Nullable RulesText pushRules() {
        if (pushRules != null) {
            return pushRules;
        }
        var stored = items.get(new ItemKey(null, AccountDataTypes.PUSH_RULES));
        return stored == null ? assumedRules : new RulesText(owner, stored.content);
    }

    /** The position of global data; 0 if never set. */
    private long pos(String type) {
        var stored = items.get(new ItemKey(null, type));
        return stored == null ? 0 : stored.pos;
    }

    /** Whether push-service's rules, or newer ones, are known. */
    synchronized boolean hasRules() {
        return pushRules != null;
    }
}
