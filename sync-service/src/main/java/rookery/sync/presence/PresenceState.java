package rookery.sync.presence;

import java.util.List;

/** The states that a user can be in. */
public final class PresenceState {
    public static final String ONLINE = "online";
    public static final String UNAVAILABLE = "unavailable";
    public static final String OFFLINE = "offline";

    /** The most present one first. */
    public static final List<String> ALL = List.of(ONLINE, UNAVAILABLE, OFFLINE);

    private PresenceState() {}
}
