// SPDX-License-Identifier: Apache-2.0
package rookery.sync.presence;

import java.util.List;

/** The values of {@code presence}. */
public final class PresenceState {
    public static final String ONLINE = "online";
    public static final String UNAVAILABLE = "unavailable";
    public static final String OFFLINE = "offline";

    /** Ordered from most to least present. */
    public static final List<String> ALL = List.of(ONLINE, UNAVAILABLE, OFFLINE);

    private PresenceState() {}
}
