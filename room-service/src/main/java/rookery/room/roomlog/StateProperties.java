// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** The limit of the state of a room in bytes without member events, 0 for no limit. */
@ConfigurationProperties("rookery.room.state")
record StateProperties(@DefaultValue("8MB") DataSize bytesMax) {
    StateProperties {
        if (bytesMax.isNegative()) {
            throw new IllegalArgumentException(
                    "rookery.room.state.bytes-max: set a size such as 8MB, or 0 for no limit");
        }
    }

    long most() {
        return bytesMax.toBytes() == 0 ? Long.MAX_VALUE : bytesMax.toBytes();
    }
}
