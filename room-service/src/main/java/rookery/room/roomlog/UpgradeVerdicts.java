// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.model.event.Membership.BAN;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.CoreState;
import rookery.room.authorization.SuccessorPower;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfBans;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.table.BanCopies;
import rookery.room.table.StateKey;
import rookery.room.table.Upgrades;
import rookery.room.table.Upgrades.Replacement;
import rookery.room.table.Upgrades.UpgradeFacts;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Judges upgrades: the new room and the closing of the old room, as one unit (contract.md 8.4). No I/O.
 *
 * <p>The new room's power levels are its last initial event. Until then the upgrader has a creator's power, which is
 * enough for all initial events, so no power is raised temporarily.
 */
final class UpgradeVerdicts {
    private static final String SERVER_ACL = "m.room.server_acl";
    private static final String SPACE = "m.space";
    private static final String SPACE_CHILD = "m.space.child";
    private static final EventId ANY_ID =
            new EventId("$" + "A".repeat(43)); // for computing sizes: all event ids have this length
    private static final long MODERATOR = 50;
    private static final long CREATOR = 100;

    private static final List<String> COPIED = List.of(
            EventTypes.JOIN_RULES,
            EventTypes.HISTORY_VISIBILITY,
            EventTypes.GUEST_ACCESS,
            SERVER_ACL,
            EventTypes.ENCRYPTION,
            EventTypes.NAME,
            EventTypes.AVATAR,
            EventTypes.TOPIC,
            EventTypes.CANONICAL_ALIAS);

    /** The single pieces of state that an upgrade reads. */
    static final List<StateKey> NEEDS = Stream.concat(
                    COPIED.stream(), Stream.of(EventTypes.POWER_LEVELS, EventTypes.TOMBSTONE))
            .map(StateKey::of)
            .toList();

    private final BatchFacts facts;
    private final BatchRows rows;
    private final EntryWriter writer;

    UpgradeVerdicts(BatchFacts facts, BatchRows rows, EntryWriter writer) {
        this.facts = facts;
        this.rows = rows;
        this.writer = writer;
    }

    Outcome<RoomAnswer> upgrade(OfUpgrade draft) {
        var old = facts.existing(draft.room());
        facts.requireActive(draft.room(), draft.sender());
        var tombstone = new Candidate(EventTypes.TOMBSTONE, "", draft.sender(), tombstone(draft));
        old.require(tombstone);
        var leaving = Objects.requireNonNull(facts.leaving().get(draft.room()));
        var upgraded = rows.upgraded.get(draft.room());
        var replacement = upgraded == null ? leaving.replacement() : upgraded.replacement();
        if (replacement != null) {
            return again(draft, replacement);
        }
        var entries = new ArrayList<EntryDraft>();
        create(draft, old, entries, first(draft, old, leaving));
        entries.add(writer.append(old, draft.tombstone(), tombstone));
        leave(draft, old, entries);
        rows.upgraded.put(
                draft.room(),
                new Upgrades.Row(
                        draft.room(),
                        new Replacement(draft.replacement().room(), draft.sender()),
                        leaving.moreBans() ? leaving.bans().getLast().pos() : null));
        return new Outcome.Accepted<>(
                entries, new RoomAnswer(draft.tombstone(), draft.replacement().room()));
    }

    /** Repeats the answer for the user who upgraded the room, in case the answer was lost; a room has one successor. */
    private static Outcome<RoomAnswer> again(OfUpgrade draft, Replacement earlier) {
        if (!earlier.by().equals(draft.sender())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "the room was upgraded already");
        }
        return new Outcome.Accepted<>(List.of(), new RoomAnswer(null, earlier.room()));
    }

    /** Creates the new room, which replaces the old room in the room directory, too. */
    private void create(OfUpgrade draft, RoomWork old, List<EntryDraft> entries, List<Candidate> first) {
        var successor = new RoomWork(successorKey(draft));
        var made = draft.replacement();
        var unit = new EntryWriter(writer.shard(), writer.position(), made.madeAtMillis(), rows, facts.referred());
        for (var candidate : first) {
            // an event that the new room's rules refuse is left out; the create event and the creator's join are
            // always accepted
            if (successor.isAllowed(candidate)) {
                var id = successor.events() == 0 ? made.event() : draft.ids().get();
                entries.add(unit.append(successor, id, candidate));
            }
        }
        writer.continueAt(unit.position());
        if (old.isPublished()) {
            entries.add(writer.list(successor, true));
            entries.add(writer.list(old, false));
            rows.listed.put(old.key, false);
        }
        facts.rooms().put(successor.key, successor);
        rows.created.add(successor);
    }

    private static TenantRoom successorKey(OfUpgrade draft) {
        return new TenantRoom(draft.room().tenant(), draft.replacement().room());
    }

    private List<Candidate> first(OfUpgrade draft, RoomWork old, UpgradeFacts leaving) {
        var first = new ArrayList<Candidate>();
        var creation = draft.replacement().content();
        add(first, draft, EventTypes.CREATE, "", creation);
        var join = object().put("membership", "join");
        facts.newest(draft.room(), draft.sender(), draft.profile()).putInto(join);
        add(first, draft, EventTypes.MEMBER, draft.sender().value(), join);
        for (String type : COPIED) {
            var content = content(old, type);
            if (content != null && !content.isEmpty()) {
                add(first, draft, type, "", content);
            }
        }
        if (creation.path("type").asString("").equals(SPACE)) {
            children(old, leaving).forEach((key, content) -> add(first, draft, SPACE_CHILD, key, content));
        }
        bans(old, leaving).forEach((user, content) -> add(first, draft, EventTypes.MEMBER, user, content));
        var created = CoreState.NONE.after(EventTypes.CREATE, "", draft.sender(), creation);
        var levels = SuccessorPower.of(old.core(), created);
        if (levels != null) {
            add(first, draft, EventTypes.POWER_LEVELS, "", levels);
        }
        return first;
    }

    /** The old room's bans, with the changes of this batch. */
    private static Map<String, ObjectNode> bans(RoomWork old, UpgradeFacts leaving) {
        var bans = new LinkedHashMap<String, ObjectNode>();
        leaving.bans().forEach(ban -> bans.put(ban.user().value(), ban.content()));
        for (var changed : old.changed()) {
            var value = old.value(changed);
            if (changed.type().equals(EventTypes.MEMBER) && value != null) {
                bans.remove(changed.key());
                if (RoomWork.membership(value.content()) == BAN) {
                    bans.put(changed.key(), BanCopies.content(value.content()));
                }
            }
        }
        return bans;
    }

    /** The children of an upgraded space; a child event without content is a removed child. */
    private static Map<String, ObjectNode> children(RoomWork old, UpgradeFacts leaving) {
        var children = new LinkedHashMap<String, ObjectNode>();
        leaving.children().forEach(child -> put(children, child.key(), child.content()));
        for (var changed : old.changed()) {
            var value = old.value(changed);
            if (changed.type().equals(SPACE_CHILD) && value != null) {
                children.remove(changed.key());
                put(children, changed.key(), value.content());
            }
        }
        return children;
    }

    private static void put(Map<String, ObjectNode> children, String key, @Nullable ObjectNode content) {
        if (content != null && !content.isEmpty()) {
            children.put(key, content);
        }
    }

    /** Judges bans that follow an upgrade; a membership in the new room takes precedence over a ban of the old room. */
    Outcome<RoomAnswer> bans(OfBans draft) {
        var room = facts.required(draft.room());
        var entries = new ArrayList<EntryDraft>();
        for (var ban : draft.bans()) {
            if (!room.hasHeardOf(ban.user()) && room.isBannable(ban.user())) {
                var candidate = new Candidate(EventTypes.MEMBER, ban.user().value(), draft.sender(), ban.content());
                entries.add(writer.append(room, draft.ids().get(), candidate));
            }
        }
        rows.banSteps.put(draft.room(), new BanCopies.Step(draft.after(), draft.upto()));
        return new Outcome.Accepted<>(entries, RoomAnswer.NOTHING_TO_DO);
    }

    /** Removes the canonical alias from the old room and silences its members, as far as the upgrader has the power. */
    private void leave(OfUpgrade draft, RoomWork old, List<EntryDraft> entries) {
        var alias = content(old, EventTypes.CANONICAL_ALIAS);
        if (alias != null && !alias.isEmpty()) {
            appendIfAllowed(draft, old, entries, EventTypes.CANONICAL_ALIAS, object());
        }
        var levels = quiet(old, draft.sender());
        if (!levels.equals(old.core().powerLevels())) {
            appendIfAllowed(draft, old, entries, EventTypes.POWER_LEVELS, levels);
        }
    }

    private void appendIfAllowed(
            OfUpgrade draft, RoomWork old, List<EntryDraft> entries, String type, ObjectNode content) {
        var candidate = new Candidate(type, "", draft.sender(), content);
        var text = EventText.of(draft.room(), type, "", content);
        int bytes = EventLine.bytes(ANY_ID, draft.room().room(), type, "", draft.sender(), text);
        if (bytes <= EventLine.BYTES_MAX && old.isAllowed(candidate)) {
            entries.add(writer.append(old, draft.ids().get(), candidate, text, null, null));
        }
    }

    private static ObjectNode quiet(RoomWork old, UserId sender) {
        var before = old.core().powerLevels();
        var levels = before == null ? object() : before;
        if (before == null && old.core().creators().unbounded().isEmpty()) {
            levels.putObject("users")
                    .put(
                            Objects.requireNonNullElse(old.core().creator(), sender)
                                    .value(),
                            CREATOR);
        }
        long quiet = Math.max(MODERATOR, old.power().usersDefault() + 1);
        for (String level : List.of("events_default", "invite")) {
            if (levels.path(level).asLong(0) < quiet) {
                levels.put(level, quiet);
            }
        }
        return levels;
    }

    private static ObjectNode tombstone(OfUpgrade draft) {
        return object().put("body", "This room has been replaced")
                .put("replacement_room", draft.replacement().room().value());
    }

    /** M_TOO_LARGE for an event that exceeds the limit with the upgrader's id, which may be longer than the first sender's. */
    private static void add(List<Candidate> first, OfUpgrade draft, String type, String stateKey, ObjectNode content) {
        var successor = successorKey(draft);
        var text = EventText.of(successor, type, stateKey, content);
        if (EventLine.bytes(ANY_ID, successor.room(), type, stateKey, draft.sender(), text) > EventLine.BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, type + " is too large to be copied");
        }
        first.add(new Candidate(type, stateKey, draft.sender(), content));
    }

    private static @Nullable ObjectNode content(RoomWork room, String type) {
        var value = room.value(StateKey.of(type));
        return value == null ? null : value.content();
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
