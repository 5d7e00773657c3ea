// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;

/**
 * A device as its owner and administrators see it; unknown fields are null.
 *
 * @param name the device ID for a device without a display name, because some clients reject a list with a nameless device
 */
public record Device(
        DeviceId id,
        String name,
        @Nullable Instant lastSeen,
        @Nullable String lastIp) {}
