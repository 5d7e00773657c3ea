// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;

/**
 * The state that a client wants of a room ({@code required_state} of MSC4186).
 *
 * @param lazyMembers whether member events come with the events of their senders instead of all at once
 */
record StateRequest(Set<StatePattern> include, Set<StatePattern> exclude, boolean lazyMembers) {
    static final StateRequest NONE = new StateRequest(Set.of(), Set.of(), false);

    private static final int OWN_BYTES = 200;

    /** Matches state events; null matches every type or every state key. */
    record StatePattern(@Nullable String type, @Nullable String stateKey) {
        private static final int OWN_BYTES = 150;

        private long bytes() {
            return OWN_BYTES + 2L * (length(type) + length(stateKey));
        }

        private static int length(@Nullable String text) {
            return text == null ? 0 : text.length();
        }

        boolean matches(String ofType, String ofKey) {
            return (type == null || type.equals(ofType)) && (stateKey == null || stateKey.equals(ofKey));
        }

        /** Whether the pattern asks for all members of a room. */
        private boolean isAllMembers(boolean lazyMembers) {
            return stateKey == null && (EventTypes.MEMBER.equals(type) || (type == null && !lazyMembers));
        }

        private boolean isOfOneMember() {
            return stateKey != null && stateKey.startsWith("@") && (type == null || type.equals(EventTypes.MEMBER));
        }
    }

    /** About the memory of the patterns. */
    long bytes() {
        return OWN_BYTES
                + Stream.concat(include.stream(), exclude.stream())
                        .mapToLong(StatePattern::bytes)
                        .sum();
    }

    /** Whether a state event is in the answer; lazy loading decides about the member events that its patterns do not name. */
    boolean wants(String type, String stateKey) {
        boolean isMember = type.equals(EventTypes.MEMBER);
        if (isMember && lazyMembers) {
            return true; // the answer contains only the members that lazy loading adds
        }
        return include.stream().anyMatch(pattern -> pattern.matches(type, stateKey))
                && exclude.stream().noneMatch(pattern -> pattern.matches(type, stateKey));
    }

    /** Whether the answer needs member events that lazy loading does not add. */
    boolean needsAllMembers(String reader) {
        return include.stream()
                .anyMatch(pattern -> pattern.isAllMembers(lazyMembers)
                        || (pattern.isOfOneMember() && !reader.equals(pattern.stateKey)));
    }
}
