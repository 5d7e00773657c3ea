package rookery.sync.inbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/**
 * What this node knows of a connected user's devices: whether messages may wait for them in the user log, how many keys others can
 * still claim of them, and whose keys have changed. Positions are those of the user's shard.
 */
public final class DeviceStates {
    private final Map<DeviceId, State> devices = new HashMap<>();
    /** Whose keys have changed for the user, and when last; all of them once the counts of a device are known. */
    private final Map<UserId, Long> keyChanges = new HashMap<>();

    private long lastKeyChange;
    /** Up to here messages may wait of which this node has not heard. */
    private long unheardTo;

    /**
     * How many keys others can still claim of a device.
     *
     * @param oneTimeKeys by algorithm
     * @param unusedFallback the algorithms whose fallback key nobody was given yet
     */
    public record KeyCounts(Map<String, Long> oneTimeKeys, List<String> unusedFallback) {}

    private static final class State {
        private long unheardTo;
        /** The newest message that may wait. */
        private long newestMessage;
        /** The newest message that the device was told here. */
        private long newestTold;
        /** Up to here auth-service was told that the device has everything; -1 if it was told nothing by this node. */
        private long acknowledged = -1;

        private @Nullable KeyCounts counts;
        /** As of when. */
        private long countsAt;
        /** When they changed; 0 if that was before this node heard of them. */
        private long countsChangedAt;
    }

    /** Everything up to there may have happened unheard. */
    synchronized void listen(long from) {
        unheardTo = from;
        devices.values().forEach(state -> state.unheardTo = from);
    }

    /** After a restore nothing holds that was heard. */
    synchronized void forget() {
        devices.clear();
        keyChanges.clear();
        lastKeyChange = 0;
    }

    /** Keys look otherwise to the user: the user's own, or those of somebody whom the user has signed. */
    public synchronized void keysChanged(UserId of, long pos) {
        keyChanges.merge(of, pos, Math::max);
        lastKeyChange = Math.max(lastKeyChange, pos);
    }

    /** Whose keys changed after a position. */
    public synchronized List<UserId> keyChangesAfter(long pos) {
        return lastKeyChange <= pos
                ? List.of()
                : keyChanges.entrySet().stream()
                        .filter(change -> change.getValue() > pos)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    private State of(DeviceId device) {
        var known = devices.get(device); // nothing is allocated for who looks again and again
        if (known == null) {
            known = new State();
            known.unheardTo = unheardTo;
            devices.put(device, known);
        }
        return known;
    }

    /** A message for the device is in the log. */
    synchronized void message(DeviceId device, long pos) {
        var state = of(device);
        state.newestMessage = Math.max(state.newestMessage, pos);
    }

    /** Whether messages after a position may wait for the device. */
    public synchronized boolean mayWait(DeviceId device, long after) {
        var state = of(device);
        return after < state.unheardTo || after < state.newestMessage;
    }

    /**
     * Takes what auth-service answered.
     *
     * @param after the position after which it was asked for messages
     * @param last the last message that it has; 0 if it has none
     * @param told the last message of those that the device is told; 0 for none
     */
    public synchronized void asked(DeviceId device, long after, long last, long told) {
        var state = of(device);
        state.unheardTo = Math.min(state.unheardTo, after);
        state.newestMessage = Math.max(state.newestMessage, last);
        state.newestTold = Math.max(state.newestTold, told);
    }

    /**
     * The device has everything up to there. Returns whether auth-service is to be told: there may be messages that it can delete, and
     * this was not returned for them before.
     */
    public synchronized boolean acknowledge(DeviceId device, long pos) {
        var state = of(device);
        boolean isNews = pos > state.acknowledged && (state.acknowledged < 0 || state.newestTold > state.acknowledged);
        if (isNews) {
            state.acknowledged = pos;
        }
        return isNews;
    }

    /** The log tells how many keys the device has left. */
    synchronized void counts(DeviceId device, KeyCounts counts, long pos) {
        var state = of(device);
        if (pos > state.countsAt) {
            state.counts = counts;
            state.countsAt = pos;
            state.countsChangedAt = pos;
        }
    }

    /** Takes what auth-service answered as of a position, unless the log has told something newer. */
    public synchronized void installCounts(DeviceId device, KeyCounts counts, long pos) {
        var state = of(device);
        if (state.counts == null || pos > state.countsAt) {
            state.counts = counts;
            state.countsAt = pos;
        }
    }

    synchronized void forgetCounts() {
        devices.values().forEach(state -> state.counts = null);
    }

    /** Null as long as nobody has told. */
    public synchronized @Nullable KeyCounts counts(DeviceId device) {
        return of(device).counts;
    }

    /** Whether the log told other counts in {@code (since, upto]}. */
    public synchronized boolean haveCountsChanged(DeviceId device, long since, long upto) {
        var state = of(device);
        return state.countsChangedAt > since && state.countsChangedAt <= upto;
    }
}
