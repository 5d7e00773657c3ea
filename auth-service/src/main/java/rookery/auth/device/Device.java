package rookery.auth.device;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;

/** A device as its owner and administrators see it; what is not known is null. */
public record Device(
        DeviceId id,
        @Nullable String name,
        @Nullable Instant lastSeen,
        @Nullable String lastIp) {}
