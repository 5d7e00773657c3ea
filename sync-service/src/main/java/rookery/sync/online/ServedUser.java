// SPDX-License-Identifier: Apache-2.0
package rookery.sync.online;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import rookery.sync.inbox.Inbox;
import rookery.sync.presence.PresenceProperties;
import rookery.sync.presence.PresenceState;
import rookery.sync.presence.PresenceText;

/** A user connected to this node, with the presence set by each device. */
final class ServedUser {
    private final Map<DeviceId, Device> devices = new HashMap<>();
    private Inbox inbox;
    private long activeMillis;
    private @Nullable String statusMsg;
    private @Nullable PresenceSet lastPublished;
    private long publishedNanos;

    private static final class Device {
        String state = PresenceState.OFFLINE;
        int requests;
        long seenNanos;
    }

    record UserPresence(String state, @Nullable String statusMsg, long activeMillis) {}

    ServedUser(Inbox inbox) {
        this.inbox = inbox;
    }

    synchronized Inbox inbox() {
        return inbox;
    }

    synchronized ServedUser entered(Inbox newest, DeviceId id, String state, long nanos, long millis) {
        inbox = newest;
        if (state.equals(PresenceState.OFFLINE)) {
            return this; // a sync with set_presence=offline
        }
        var device = devices.computeIfAbsent(id, _ -> new Device());
        if (state.equals(PresenceState.ONLINE) && !device.state.equals(state)) {
            activeMillis = Math.max(activeMillis, millis);
        }
        device.state = state;
        device.requests++;
        device.seenNanos = nanos;
        return this;
    }

    synchronized ServedUser left(DeviceId id, String state, long nanos) {
        var device = devices.get(id);
        if (device != null && !state.equals(PresenceState.OFFLINE)) {
            device.requests = Math.max(0, device.requests - 1);
            device.seenNanos = nanos;
        }
        return this;
    }

    synchronized ServedUser set(
            Inbox newest, DeviceId id, String state, @Nullable String message, long nanos, long millis) {
        inbox = newest;
        statusMsg = message;
        var device = devices.computeIfAbsent(id, _ -> new Device());
        device.state = state;
        device.seenNanos = nanos;
        if (state.equals(PresenceState.ONLINE)) {
            activeMillis = Math.max(activeMillis, millis);
        }
        return this;
    }

    /** The most present device decides; without recent activity, {@code online} becomes {@code unavailable}. */
    synchronized UserPresence now(long nanos, long millis, PresenceProperties properties) {
        long active = Math.max(activeMillis, inbox.activeMillis());
        var state = PresenceState.OFFLINE;
        for (var device : devices.values()) {
            if (isThere(device, nanos, properties.offlineAfter().toNanos())
                    && PresenceState.ALL.indexOf(device.state) < PresenceState.ALL.indexOf(state)) {
                state = device.state;
            }
        }
        boolean idle = millis - active > properties.idleAfter().toMillis();
        return new UserPresence(
                state.equals(PresenceState.ONLINE) && idle ? PresenceState.UNAVAILABLE : state, statusMsg, active);
    }

    private static boolean isThere(Device device, long nanos, long offlineNanos) {
        return device.requests > 0 || nanos - device.seenNanos < offlineNanos;
    }

    synchronized void forgetGone(long nanos, long offlineNanos) {
        devices.values().removeIf(device -> !isThere(device, nanos, offlineNanos));
    }

    /** Whether all devices are gone. */
    synchronized boolean isDeserted() {
        return devices.isEmpty();
    }

    /** Whether all devices are gone and the offline state is published. */
    synchronized boolean isOver() {
        return devices.isEmpty()
                && lastPublished != null
                && lastPublished.state().equals(PresenceState.OFFLINE);
    }

    /** Whether another node has published later, and no request is open here. */
    synchronized boolean isOvertakenBy(long ts) {
        return lastPublished != null
                && ts > lastPublished.ts()
                && devices.values().stream().allMatch(device -> device.requests == 0);
    }

    synchronized boolean isDue(PresenceSet presence, long nanos, long repeatNanos) {
        var last = lastPublished;
        if (last == null) {
            return true;
        }
        boolean same = PresenceText.areEqual(last, presence) && areSame(last.rooms(), presence.rooms());
        boolean repeated =
                nanos - publishedNanos > repeatNanos && !presence.state().equals(PresenceState.OFFLINE);
        return !same || repeated;
    }

    private static boolean areSame(List<Long> rooms, List<Long> others) {
        return rooms.equals(others) || Set.copyOf(rooms).equals(Set.copyOf(others));
    }

    synchronized void published(PresenceSet presence, long nanos) {
        lastPublished = presence;
        publishedNanos = nanos;
    }
}
