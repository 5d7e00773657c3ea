package rookery.platform.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services, and the tools of whoever operates them, with who calls whom: each arrow has a key of its own, which only its two ends
 * have (design.md 1 and 12). {@code deploy/compose/secrets} draws the same arrows.
 */
public enum ServiceName {
    /** the launcher and {@code deploy/admin}, which nobody calls */
    OPERATOR("operator"),
    GATEWAY("gateway"),
    AUTH("auth-service"),
    ROOM("room-service"),
    SYNC("sync-service"),
    DIRECTORY("directory-service"),
    PUSH("push-service"),
    ADMIN("admin-service");

    /** The key that records in Kafka are sealed with, at all who write or read some. */
    public static final String RECORDS = "records";
    /** The key that the tokens of syncs and of pages are sealed with. */
    public static final String TOKENS = "tokens";

    private final String title;

    ServiceName(String title) {
        this.title = title;
    }

    /** As its module, its configuration and its instances are called, such as {@code room-service}. */
    public String title() {
        return title;
    }

    /** The one of that title, or null. */
    public static @Nullable ServiceName named(String title) {
        return Arrays.stream(values())
                .filter(service -> service.title.equals(title))
                .findFirst()
                .orElse(null);
    }

    /** Whom it calls; itself where its instances share work and ask each other whether they are ready. */
    public Set<ServiceName> calls() {
        return switch (this) {
            case OPERATOR, GATEWAY -> EnumSet.of(AUTH, ROOM, SYNC, DIRECTORY, PUSH, ADMIN);
            case AUTH -> EnumSet.of(ROOM, SYNC, PUSH);
            case ROOM -> EnumSet.of(AUTH, ROOM, DIRECTORY, PUSH);
            case SYNC -> EnumSet.of(AUTH, ROOM, PUSH);
            case DIRECTORY -> EnumSet.of(AUTH, ROOM, DIRECTORY);
            case PUSH -> EnumSet.of(AUTH, ROOM, PUSH);
            case ADMIN -> EnumSet.of(AUTH, ROOM, DIRECTORY, PUSH);
        };
    }

    /** The names of the keys that it must have: of the arrows that begin or end here, and of what it seals. */
    public List<String> keyNames() {
        var names = new ArrayList<String>();
        for (var caller : values()) {
            for (var callee : caller.calls()) {
                if (caller == this || callee == this) {
                    names.add(caller.arrowTo(callee));
                }
            }
        }
        switch (this) {
            case OPERATOR, GATEWAY -> {}
            case ADMIN -> names.add(title); // for the password of its canary
            case AUTH -> names.addAll(List.of(RECORDS, title)); // its own is for what it keeps in its database
            case ROOM, SYNC -> names.addAll(List.of(RECORDS, TOKENS));
            case DIRECTORY, PUSH -> names.add(RECORDS);
        }
        return names;
    }

    /** The name of the key for calls from here to there, such as {@code gateway>room-service}. */
    public String arrowTo(ServiceName callee) {
        return title + ">" + callee.title;
    }
}
