// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import org.jspecify.annotations.Nullable;

/**
 * A running process of a service.
 *
 * @param name such as {@code room-service-1}; stable across restarts, so keys stay with the instance
 * @param address {@code host:port}
 * @param management {@code host:port} of its management port, or null if unknown
 */
public record Instance(
        String name, String address, @Nullable String management) {}
