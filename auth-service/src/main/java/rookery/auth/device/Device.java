package rookery.auth.device;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;

/**
 * A device as its owner and administrators see it; what is not known is null.
 *
 * @param name the device id where there is no other name: some clients refuse a list with a device that has none
 */
public record Device(
        DeviceId id,
        String name,
        @Nullable Instant lastSeen,
        @Nullable String lastIp) {}
