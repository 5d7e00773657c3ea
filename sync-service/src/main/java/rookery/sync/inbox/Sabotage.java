package rookery.sync.inbox;

import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults that the end-to-end checker must notice, so that its silence means something. None, unless a test sets the system
 * property {@code rookery.test.sabotage} of the process; no configuration file or environment variable reaches it.
 */
public enum Sabotage {
    NONE,
    /** One event in fifty is never told. */
    SKIP,
    /** One event in fifty is told twice. */
    TWICE,
    /** Requests listen only after they have looked. */
    LATE_LISTENER,
    /** No timeline says that it left something out. */
    NEVER_LIMITED,
    /** A room's newest events are told as if all were held. */
    SHORT_RING,
    /** What one request did is told in pieces. */
    CUT_UNIT,
    /** What a redaction took away stays in memory. */
    REDACTED_BODY,
    /** Of what is unread, one is not counted. */
    MISCOUNT;

    public static final Sabotage ACTIVE = read();

    /** Long enough for a client to see what it should not. */
    static final Duration PAUSE = Duration.ofMillis(100);

    private static final int EVERY = 50;

    /** Whether this is the fault of this process. */
    public boolean isOn() {
        return this == ACTIVE;
    }

    boolean strikes(long pos) {
        return this == ACTIVE && pos % EVERY == 0;
    }

    private static Sabotage read() {
        String name = System.getProperty("rookery.test.sabotage");
        if (name == null) {
            return NONE;
        }
        Logger log = LoggerFactory.getLogger(Sabotage.class);
        log.atWarn()
                .addKeyValue("fault", name)
                .log("this process spoils what it delivers, on purpose: never use it for people");
        return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
