// SPDX-License-Identifier: Apache-2.0
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

/** A user of the checked server, with the sync token reached so far. */
final class Person {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int UNAVAILABLE = 503;

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

    /** An action that is repeated when its effect may have expired. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** A condition to poll. */
    @FunctionalInterface
    interface Condition {
        boolean isMet() throws IOException;
    }

    /** The role in the conversation, such as {@code ada}. */
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

    /** Logs in on another device of the user. */
    Session login() throws IOException {
        return session(http(), http().call("POST", "/v3/login", null, proof()).ok());
    }

    /** Replaces the session by a login on another device, after all sessions were ended. */
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

    /**
     * Syncs from the token of the last sync, again while sync-service answers 503: it does so when it has not read the log for 5 s,
     * and clients repeat the request (contract.md 2.4).
     */
    JsonNode sync(Duration timeout) throws IOException {
        var query = (since == null ? SyncQuery.initial() : SyncQuery.since(since)).waiting(timeout);
        long begun = clock.nanos();
        var answer = session.trySync(query);
        while (answer.status() == UNAVAILABLE && clock.nanos() - begun < PATIENCE.toNanos()) {
            pause(PAUSE);
            answer = session.trySync(query);
        }
        var news = answer.ok();
        since = news.path("next_batch").asString("");
        return news;
    }

    /** Syncs without a wait, so that the next sync waits for new data. */
    void catchUp() throws IOException {
        sync(Duration.ZERO);
    }

    long waitFor(String description, Predicate<JsonNode> condition) throws IOException {
        return waitFor(description, condition, () -> {});
    }

    /**
     * Syncs until a response satisfies the condition.
     *
     * @param again an action to repeat when the clock was stopped meanwhile
     * @return the time of that response by the clock
     */
    long waitFor(String description, Predicate<JsonNode> condition, Action again) throws IOException {
        long begun = clock.nanos();
        int stops = clock.stops();
        while (clock.nanos() - begun < PATIENCE.toNanos()) {
            if (clock.stops() != stops) {
                stops = clock.stops();
                again.run();
            }
            if (condition.test(sync(POLL))) {
                return clock.nanos();
            }
        }
        throw new UnmetException(
                "%s did not reach %s within %d s".formatted(description, userId(), PATIENCE.toSeconds()));
    }

    /** Queries the condition once a second: derived data follow the log with a delay, and no event announces them. */
    void askUntil(Condition condition, String otherwise) throws IOException {
        long begun = clock.nanos();
        while (!condition.isMet()) {
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
