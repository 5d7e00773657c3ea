// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state that decides about events, without the memberships. Rooms in memory keep it, so the content of the power levels is
 * a text: the tree takes several times the bytes, and only changes of the levels and upgrades need the tree.
 *
 * @param levelsJson the content of the power levels event in force, or null
 * @param power the levels in force; defaults without an event
 */
public record CoreState(
        Creators creators, @Nullable String levelsJson, PowerLevels power, JoinRule joinRule, String visibility) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The state of a room before its create event. */
    public static final CoreState NONE = of(Creators.NONE);

    /** The state after the create event of a room whose creators have no unbounded power. */
    public static CoreState of(UserId creator) {
        return of(new Creators(creator, Set.of()));
    }

    private static CoreState of(Creators creators) {
        return new CoreState(creators, null, PowerLevels.of(creators, null), JoinRule.INVITE, HistoryVisibility.SHARED);
    }

    /** The sender of the create event; null before. */
    public @Nullable UserId creator() {
        return creators.sender();
    }

    /** The content of the power levels event in force, a new tree with each call; null without an event. */
    public @Nullable ObjectNode powerLevels() {
        return levelsJson == null ? null : (ObjectNode) JSON.readTree(levelsJson);
    }

    /** The state after an accepted state event. */
    public CoreState after(String type, String stateKey, UserId sender, ObjectNode content) {
        if (!stateKey.isEmpty()) {
            return this;
        }
        return switch (type) {
            case EventTypes.CREATE -> after(Creators.of(sender, content));
            case EventTypes.POWER_LEVELS ->
                new CoreState(
                        creators,
                        JSON.writeValueAsString(content),
                        PowerLevels.of(creators, content),
                        joinRule,
                        visibility);
            case EventTypes.JOIN_RULES -> new CoreState(creators, levelsJson, power, JoinRule.of(content), visibility);
            case EventTypes.HISTORY_VISIBILITY ->
                new CoreState(creators, levelsJson, power, joinRule, visibility(content));
            default -> this;
        };
    }

    private CoreState after(Creators newCreators) {
        return new CoreState(newCreators, levelsJson, PowerLevels.of(newCreators, powerLevels()), joinRule, visibility);
    }

    /** Every event of the room carries the word, so an unknown one, of any length, is replaced by its meaning. */
    private static String visibility(ObjectNode content) {
        return content.path("history_visibility")
                .stringValueOpt()
                .filter(HistoryVisibility.WORDS::contains)
                .orElse(HistoryVisibility.SHARED);
    }
}
