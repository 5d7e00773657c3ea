package rookery.sync.unread;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;

/** Rooms whose counts turned out to be others than a user was told: each device is told once more. */
final class Corrections {
    private static final int ROOMS_MAX = 1_000;
    private static final int DEVICES_MAX = 50;

    private final Map<RoomId, Long> rooms = new LinkedHashMap<>();
    private final Map<DeviceId, Told> devices = new LinkedHashMap<>(16, 0.75f, true);
    private long last;

    /** What a device was told, in the answer to which token: it may ask with the same one again. */
    private record Told(@Nullable String since, long before, long upto) {
        long from(@Nullable String asked) {
            return since != null && since.equals(asked) ? before : upto;
        }
    }

    void clear() {
        rooms.clear();
        devices.clear();
    }

    long last() {
        return last;
    }

    void add(RoomId room) {
        rooms.remove(room);
        rooms.put(room, ++last);
        if (rooms.size() > ROOMS_MAX) {
            rooms.remove(rooms.keySet().iterator().next());
        }
    }

    /**
     * Those that the device has not been told; from then on it has.
     *
     * @param since as the device sent it; null if it begins anew and is told everything
     */
    Set<RoomId> tell(DeviceId device, @Nullable String since) {
        var told = devices.get(device);
        long from = since == null ? last : told == null ? 0 : told.from(since);
        var news = new LinkedHashSet<RoomId>();
        rooms.forEach((room, number) -> {
            if (number > from) {
                news.add(room);
            }
        });
        if (since == null || !news.isEmpty()) {
            devices.put(device, new Told(since, from, last));
            if (devices.size() > DEVICES_MAX) {
                devices.remove(devices.keySet().iterator().next());
            }
        }
        return news;
    }
}
