package rookery.selfcheck;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import tools.jackson.databind.JsonNode;

/** A user of the server that is looked at, and up to where they have synced. */
final class Person {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String name;
    private final String password;
    private final PatientClock clock;
    private Session session;
    private @Nullable String since;

    Person(String name, String password, Session session, PatientClock clock) {
        this.name = name;
        this.password = password;
        this.session = session;
        this.clock = clock;
    }

    /** Something that is done, and done again when it may have run out. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** Something that is asked until it is so. */
    @FunctionalInterface
    interface Question {
        boolean isAnswered() throws IOException;
    }

    /** As the conversation calls them, such as {@code ada}. */
    String name() {
        return name;
    }

    String userId() {
        return session.userId();
    }

    Session session() {
        return session;
    }

    Http http() {
        return session.http();
    }

    static Map<String, Object> passwordOf(String user, String password) {
        return Map.of(
                "type",
                "m.login.password",
                "identifier",
                Map.of("type", "m.id.user", "user", user),
                "password",
                password);
    }

    Map<String, Object> proof() {
        return passwordOf(userId(), password);
    }

    static Session session(Http http, JsonNode login) {
        return Session.known(
                http,
                login.path("user_id").asString(""),
                login.path("device_id").asString(""),
                login.path("access_token").asString(""));
    }

    /** Another device of theirs. */
    Session login() throws IOException {
        return session(http(), http().call("POST", "/v3/login", null, proof()).ok());
    }

    /** Goes on with another device, after the sessions were ended. */
    void loginAgain() throws IOException {
        session = login();
        since = null;
    }

    JsonNode get(String path) throws IOException {
        return session.get(path);
    }

    JsonNode post(String path, Map<String, ?> body) throws IOException {
        return session.post(path, body);
    }

    JsonNode put(String path, Map<String, ?> body) throws IOException {
        return session.put(path, body);
    }

    Answer ask(String method, String path, @Nullable Map<String, ?> body) throws IOException {
        return session.call(method, path, body);
    }

    /** From where the last one ended. */
    JsonNode sync(Duration timeout) throws IOException {
        var query = since == null ? SyncQuery.initial() : SyncQuery.since(since);
        var answer = session.sync(query.waiting(timeout));
        since = answer.path("next_batch").asString("");
        return answer;
    }

    /** Syncs up to now, so that the next one waits. */
    void catchUp() throws IOException {
        sync(Duration.ZERO);
    }

    long waitFor(String what, Predicate<JsonNode> wanted) throws IOException {
        return waitFor(what, wanted, () -> {});
    }

    /**
     * Syncs until an answer has it.
     *
     * @param again is done when the clock has stood still meanwhile
     * @return when that was, by the clock
     */
    long waitFor(String what, Predicate<JsonNode> wanted, Action again) throws IOException {
        long begun = clock.nanos();
        int stops = clock.stops();
        while (clock.nanos() - begun < PATIENCE.toNanos()) {
            if (clock.stops() != stops) {
                stops = clock.stops();
                again.run();
            }
            if (wanted.test(sync(POLL))) {
                return clock.nanos();
            }
        }
        throw new UnmetException("%s did not reach %s within %d s".formatted(what, userId(), PATIENCE.toSeconds()));
    }

    /** Asks once a second: what is derived from the log comes a little later, and nothing tells that it has come. */
    void askUntil(Question question, String otherwise) throws IOException {
        long begun = clock.nanos();
        while (!question.isAnswered()) {
            if (clock.nanos() - begun > PATIENCE.toNanos()) {
                throw new UnmetException(otherwise);
            }
            pause(PAUSE);
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    static String room(String room, String rest) {
        return Paths.room(room, rest);
    }
}
