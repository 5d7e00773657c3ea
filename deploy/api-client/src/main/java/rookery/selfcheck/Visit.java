// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Http;
import tools.jackson.databind.JsonNode;

/** Shared state of all checks: two users, their room, and the data to remove or report at the end. */
final class Visit {
    /** The client for requests without an access token. */
    final Http http;

    /** The client for uploads, whose paths have another prefix. */
    final Http media;

    final PatientClock clock;

    /** Whether the accounts were given; then only the data that the check made are removed. */
    final boolean isOfOthers;

    private final Map<String, String> leftovers = new LinkedHashMap<>();
    private @Nullable Person ada;
    private @Nullable Person grace;
    private @Nullable String room;
    private @Nullable String event;
    private @Nullable String file;

    Visit(Http http, Http media, PatientClock clock, boolean isOfOthers) {
        this.http = http;
        this.media = media;
        this.clock = clock;
        this.isOfOthers = isOfOthers;
    }

    void ada(Person person) {
        ada = person;
    }

    void grace(Person person) {
        grace = person;
    }

    Person ada() {
        return Objects.requireNonNull(ada);
    }

    Person grace() {
        return Objects.requireNonNull(grace);
    }

    /** The users that are registered or logged in so far. */
    List<Person> people() {
        return Stream.of(Optional.ofNullable(ada), Optional.ofNullable(grace))
                .flatMap(Optional::stream)
                .toList();
    }

    void room(String id) {
        room = id;
    }

    String room() {
        return Objects.requireNonNull(room);
    }

    boolean hasRoom() {
        return room != null;
    }

    void purgedRoom() {
        tookAway(room());
        room = null;
    }

    /** The {@code mxc://} URI of the uploaded file, or null. */
    @Nullable
    String file() {
        return file;
    }

    void file(String uri) {
        file = uri;
    }

    /** The event id of the last message. */
    String event() {
        return Objects.requireNonNull(event);
    }

    void event(String id) {
        event = id;
    }

    JsonNode joined(JsonNode sync) {
        return sync.path("rooms").path("join").path(room());
    }

    /** Records that the check made something on the server. */
    synchronized void leaves(String key, String description) {
        leftovers.put(key, description);
    }

    synchronized void tookAway(String key) {
        leftovers.remove(key);
    }

    /** Describes the data that the check made and did not remove. */
    synchronized String leftovers() {
        return leftovers.isEmpty() ? "nothing" : String.join(", ", leftovers.values());
    }
}
