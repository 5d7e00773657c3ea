// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services and the launcher, with the calls between them: each pair of caller and callee has a key that only the two
 * have (design.md 1 and 12). {@code deploy/compose/secrets} has the same pairs.
 */
public enum ServiceName {
    /** The launcher and the test drivers, which no service calls. */
    OPERATOR("operator"),
    GATEWAY("gateway"),
    AUTH("auth-service"),
    ROOM("room-service"),
    SYNC("sync-service"),
    DIRECTORY("directory-service"),
    PUSH("push-service"),
    ADMIN("admin-service");

    /** The name of the key that seals Kafka records, in every service that writes or reads them. */
    public static final String RECORDS = "records";
    /** The name of the key that seals sync and page tokens. */
    public static final String TOKENS = "tokens";

    private final String title;

    ServiceName(String title) {
        this.title = title;
    }

    /** The name of its module, configuration and instances, such as {@code room-service}. */
    public String title() {
        return title;
    }

    /** Returns the service with that title, or null. */
    public static @Nullable ServiceName named(String title) {
        return Arrays.stream(values())
                .filter(service -> service.title.equals(title))
                .findFirst()
                .orElse(null);
    }

    /** The services that this service calls, itself included if its instances share work and check each other's readiness. */
    public Set<ServiceName> calls() {
        return switch (this) {
            case OPERATOR, GATEWAY -> EnumSet.of(AUTH, ROOM, SYNC, DIRECTORY, PUSH, ADMIN);
            case AUTH -> EnumSet.of(GATEWAY, ROOM, SYNC, PUSH, ADMIN);
            case ROOM -> EnumSet.of(AUTH, ROOM, DIRECTORY, PUSH, ADMIN);
            case SYNC -> EnumSet.of(AUTH, ROOM, PUSH, ADMIN);
            case DIRECTORY -> EnumSet.of(AUTH, ROOM, DIRECTORY, ADMIN);
            case PUSH -> EnumSet.of(AUTH, ROOM, PUSH, ADMIN);
            case ADMIN -> EnumSet.of(AUTH, ROOM, SYNC, DIRECTORY, PUSH);
        };
    }

    /** The names of all keys of this service: for its calls in both directions, and for sealing. */
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
            case AUTH -> names.addAll(List.of(RECORDS, title)); // its own key is for secrets in its database
            case ROOM, SYNC -> names.addAll(List.of(RECORDS, TOKENS));
            case DIRECTORY, PUSH -> names.add(RECORDS);
        }
        return names;
    }

    /** The name of the key for calls to that service, such as {@code gateway>room-service}. */
    public String arrowTo(ServiceName callee) {
        return title + ">" + callee.title;
    }
}
