// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state that decides about events, without the memberships.
 *
 * @param powerLevels the content of the event in force, or null
 * @param power the levels in force; defaults without an event
 */
public record CoreState(
        Creators creators, @Nullable ObjectNode powerLevels, PowerLevels power, JoinRule joinRule, String visibility) {
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

    /** The state after an accepted state event. */
    public CoreState after(String type, String stateKey, UserId sender, ObjectNode content) {
        if (!stateKey.isEmpty()) {
            return this;
        }
        return switch (type) {
            case EventTypes.CREATE -> with(Creators.of(sender, content), powerLevels);
            case EventTypes.POWER_LEVELS -> with(creators, content);
            case EventTypes.JOIN_RULES -> new CoreState(creators, powerLevels, power, JoinRule.of(content), visibility);
            case EventTypes.HISTORY_VISIBILITY ->
                new CoreState(creators, powerLevels, power, joinRule, visibility(content));
            default -> this;
        };
    }

    private CoreState with(Creators newCreators, @Nullable ObjectNode levels) {
        return new CoreState(newCreators, levels, PowerLevels.of(newCreators, levels), joinRule, visibility);
    }

    private static String visibility(ObjectNode content) {
        return content.path("history_visibility").stringValueOpt().orElse(HistoryVisibility.SHARED);
    }
}
