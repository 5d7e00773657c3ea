package rookery.e2e.model;

import java.util.Set;

/**
 * A sync as one room sees it.
 *
 * @param since where the client stood in the room's shard; 0 for an initial sync
 * @param next where the answer says that it stands now
 */
record Question(
        String user,
        boolean initial,
        long since,
        long next,
        Filter filter,
        boolean fullState,
        boolean stateAfter,
        Set<String> ignored) {
    Question {
        ignored = Set.copyOf(ignored);
    }

    boolean shows(Event event) {
        return filter.timeline().passes(event) && !(event.stateKey() == null && ignored.contains(event.sender()));
    }
}
