// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/**
 * State of a connected user's devices: whether messages to the device may be waiting, the numbers of unclaimed keys, and key
 * changes of the user and of users whose keys the user signed. All positions are in the user's shard of the user log.
 */
public final class DeviceStates {
    private final Map<DeviceId, State> devices = new HashMap<>();
    /** The position of the last key change, by user. Complete once the key counts of a device are known. */
    private final Map<UserId, Long> keyChanges = new HashMap<>();

    private long lastKeyChange;
    /** This node has not followed the user log up to this position: messages before may be waiting. */
    private long unknownTo;

    /** A device's one-time keys by algorithm, and the algorithms with an unused fallback key. */
    public record KeyCounts(Map<String, Long> oneTimeKeys, List<String> unusedFallback) {}

    private static final class State {
        private long unknownTo;
        /** The newest message that may be waiting. */
        private long newestMessage;
        /** The newest message that this node has sent to the device. */
        private long newestSent;
        /** The last acknowledged position that this node has sent to auth-service; -1 before the first. */
        private long acknowledged = -1;

        private @Nullable KeyCounts counts;
        /** The position of {@link #counts}. */
        private long countsAt;
        /** The position of the last change in the log; 0 for a change before this node followed the user. */
        private long countsChangedAt;
    }

    /** This node follows the user from here; earlier entries are unknown. */
    synchronized void listen(long from) {
        unknownTo = from;
        devices.values().forEach(state -> state.unknownTo = from);
    }

    /** Drops the state, which a restore has made invalid. */
    synchronized void forget() {
        devices.clear();
        keyChanges.clear();
        lastKeyChange = 0;
    }

    /** The keys of a user have changed: the user's own, or those of another user whose keys the user signed. */
    public synchronized void keysChanged(UserId of, long pos) {
        keyChanges.merge(of, pos, Math::max);
        lastKeyChange = Math.max(lastKeyChange, pos);
    }

    /** The users whose keys changed after a position. */
    public synchronized List<UserId> keyChangesAfter(long pos) {
        return lastKeyChange <= pos
                ? List.of()
                : keyChanges.entrySet().stream()
                        .filter(change -> change.getValue() > pos)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    private State of(DeviceId device) {
        var state = devices.get(device); // no allocation for repeated looks
        if (state == null) {
            state = new State();
            state.unknownTo = unknownTo;
            devices.put(device, state);
        }
        return state;
    }

    /** Takes a message to the device from the log. */
    synchronized void message(DeviceId device, long pos) {
        var state = of(device);
        state.newestMessage = Math.max(state.newestMessage, pos);
    }

    public synchronized boolean mayWait(DeviceId device, long after) {
        var state = of(device);
        return after < state.unknownTo || after < state.newestMessage;
    }

    /** Takes auth-service's answer for messages after a position: the last waiting and the last sent message, 0 for none. */
    public synchronized void takeAnswer(DeviceId device, long after, long last, long lastSent) {
        var state = of(device);
        state.unknownTo = Math.min(state.unknownTo, after);
        state.newestMessage = Math.max(state.newestMessage, last);
        state.newestSent = Math.max(state.newestSent, lastSent);
    }

    /** The device has all messages up to the position. Returns whether auth-service must learn the position. */
    public synchronized boolean acknowledge(DeviceId device, long pos) {
        var state = of(device);
        boolean isNews = pos > state.acknowledged && (state.acknowledged < 0 || state.newestSent > state.acknowledged);
        if (isNews) {
            state.acknowledged = pos;
        }
        return isNews;
    }

    /** Takes key counts from the log. */
    synchronized void counts(DeviceId device, KeyCounts counts, long pos) {
        var state = of(device);
        if (pos > state.countsAt) {
            state.counts = counts;
            state.countsAt = pos;
            state.countsChangedAt = pos;
        }
    }

    /** Takes key counts that auth-service answered, unless the log has brought newer counts. */
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

    /** Null before the counts are known. */
    public synchronized @Nullable KeyCounts counts(DeviceId device) {
        return of(device).counts;
    }

    /** Whether the log has brought new counts in {@code (since, upto]}. */
    public synchronized boolean haveCountsChanged(DeviceId device, long since, long upto) {
        var state = of(device);
        return state.countsChangedAt > since && state.countsChangedAt <= upto;
    }
}
