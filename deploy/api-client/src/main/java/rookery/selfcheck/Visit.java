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

/** What the checks of one server share: two users, their room, and what is there that was not there before. */
final class Visit {
    /** Without anybody's token. */
    final Http http;

    /** The same for uploads, whose paths have another prefix. */
    final Http media;

    final PatientClock clock;

    /** Whether the accounts were there before, so that only what the check made goes away with it. */
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

    /** Those of the two who have an account by now. */
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

    /** The {@code mxc://} address of what was uploaded, or null. */
    @Nullable
    String file() {
        return file;
    }

    void file(String uri) {
        file = uri;
    }

    /** The latest message. */
    String event() {
        return Objects.requireNonNull(event);
    }

    void event(String id) {
        event = id;
    }

    JsonNode joined(JsonNode sync) {
        return sync.path("rooms").path("join").path(room());
    }

    /** From now on it is there. */
    synchronized void leaves(String what, String description) {
        leftovers.put(what, description);
    }

    synchronized void tookAway(String what) {
        leftovers.remove(what);
    }

    /** What is there that was not there before. */
    synchronized String leftovers() {
        return leftovers.isEmpty() ? "nothing" : String.join(", ", leftovers.values());
    }
}
