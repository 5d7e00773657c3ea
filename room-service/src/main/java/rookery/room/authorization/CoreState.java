// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state that decides about events, without the memberships.
 *
 * @param creator null before the create event
 * @param powerLevels the content of the event in force, or null
 * @param power the levels in force; defaults without an event
 */
public record CoreState(
        @Nullable UserId creator,
        @Nullable ObjectNode powerLevels,
        PowerLevels power,
        JoinRule joinRule,
        String visibility) {
    /** The state of a room before its create event. */
    public static final CoreState NONE = of(null);

    /** The state after the create event. */
    public static CoreState of(@Nullable UserId creator) {
        return new CoreState(creator, null, PowerLevels.ofCreator(creator), JoinRule.INVITE, HistoryVisibility.SHARED);
    }

    /** The state after an accepted state event. */
    public CoreState after(String type, String stateKey, UserId sender, ObjectNode content) {
        if (!stateKey.isEmpty()) {
            return this;
        }
        return switch (type) {
            case EventTypes.CREATE ->
                powerLevels == null
                        ? new CoreState(sender, null, PowerLevels.ofCreator(sender), joinRule, visibility)
                        : new CoreState(sender, powerLevels, power, joinRule, visibility);
            case EventTypes.POWER_LEVELS ->
                new CoreState(creator, content, PowerLevels.of(content), joinRule, visibility);
            case EventTypes.JOIN_RULES -> new CoreState(creator, powerLevels, power, JoinRule.of(content), visibility);
            case EventTypes.HISTORY_VISIBILITY ->
                new CoreState(creator, powerLevels, power, joinRule, visibility(content));
            default -> this;
        };
    }

    private static String visibility(ObjectNode content) {
        return content.path("history_visibility").stringValueOpt().orElse(HistoryVisibility.SHARED);
    }
}
