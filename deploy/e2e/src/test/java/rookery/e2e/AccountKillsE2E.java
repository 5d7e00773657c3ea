// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * Accounts and names are whole, whenever the processes that make them are killed: one kill of each process in a hundred accounts
 * and a hundred names. The long form is {@code deploy/e2e/long accounts}.
 */
@BreaksCluster("kills processes")
class AccountKillsE2E {
    private static final int TIMES = Integer.getInteger("rookery.accounts.times", 100);
    private static final int PEOPLE = 10;
    private static final int CLIENTS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Rookery rookery;
    private final RandomGenerator random = RandomGenerator.getDefault();

    AccountKillsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void registrationsLeaveNoHalfAccount() throws Exception {
        var names = new ArrayList<String>();
        for (int i = 0; i < TIMES; i++) {
            names.add(People.name("survivor"));
        }
        try (var http = rookery.http()) {
            killing(List.of("auth-service-1"), names, name -> register(http, name));
            for (String name : names) {
                var login = untilAnswered(() -> Steps.login(http, name, Steps.PASSWORD, Map.of()));
                assertThat(login.status()).as("%s: %s", name, login).isEqualTo(200);
                String user = login.json().path("user_id").asString();
                assertThat(http.call("GET", "/v3/profile/" + Paths.encoded(user), null, null)
                                .ok()
                                .path("displayname")
                                .asString())
                        .isEqualTo(name);
            }
        }
    }

    @Test
    void newNamesReachEveryRoomInTheEnd() throws Exception {
        try (var http = rookery.http()) {
            var host = People.newcomer(http, "host");
            var people = new ArrayList<Session>();
            var rooms = List.of(
                    host.createRoom(Map.of("preset", "public_chat")),
                    host.createRoom(Map.of("preset", "public_chat")),
                    host.createRoom(Map.of("preset", "public_chat")));
            for (int i = 0; i < PEOPLE; i++) {
                var person = People.newcomer(http, "renamed");
                for (String room : rooms) {
                    person.join(room);
                }
                people.add(person);
            }
            var changes = new ArrayList<Integer>();
            for (int i = 0; i < TIMES; i++) {
                changes.add(i);
            }
            killing(
                    List.of("auth-service-1", "room-service-1"),
                    changes,
                    number -> rename(people.get(number % PEOPLE), "name " + number / PEOPLE));
            String last = "name " + (TIMES - 1) / PEOPLE;
            for (var person : people) {
                untilAnswered(() -> rename(person, last));
            }
            for (String room : rooms) {
                for (var person : people) {
                    assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> isNamed(host, room, person, last)))
                            .as("%s in %s", person, room)
                            .isTrue();
                }
            }
        }
    }

    /** A name that was given in an attempt whose answer was lost is one's own: logging in tells. */
    private static Answer register(Http http, String name) throws IOException {
        var body = Map.of("username", name, "password", Steps.PASSWORD, "auth", Map.of("type", "m.login.dummy"));
        var answer = http.call("POST", "/v3/register", null, body);
        return answer.errcode().equals("M_USER_IN_USE") ? Steps.login(http, name, Steps.PASSWORD, Map.of()) : answer;
    }

    private static Answer rename(Session person, String name) throws IOException {
        return person.call(
                "PUT",
                "/v3/profile/%s/displayname".formatted(Paths.encoded(person.userId())),
                Map.of("displayname", name));
    }

    private static boolean isNamed(Session reader, String room, Session person, String name) {
        try {
            return reader.call("GET", Paths.room(room, "/state/m.room.member/" + Paths.encoded(person.userId())), null)
                    .json()
                    .path("displayname")
                    .asString("")
                    .equals(name);
        } catch (IOException e) {
            return false;
        }
    }

    private interface Attempt<T> {
        Answer send(T item) throws IOException;
    }

    private interface Request {
        Answer send() throws IOException;
    }

    /** Does it to all items, each until it is done, while the instances are killed one after the other. */
    private <T> void killing(List<String> victims, List<T> items, Attempt<T> attempt) throws Exception {
        var done = new AtomicInteger();
        var next = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<?>>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    for (int item = next.getAndIncrement(); item < items.size(); item = next.getAndIncrement()) {
                        var one = items.get(item);
                        untilAnswered(() -> attempt.send(one));
                        done.incrementAndGet();
                    }
                }));
            }
            for (int i = 0; i < victims.size(); i++) {
                int from = items.size() * i / victims.size();
                int moment = from + random.nextInt(items.size() / victims.size());
                Deadline.in(PATIENCE).until(Duration.ofMillis(5), () -> done.get() >= moment);
                var killed = rookery.kill(victims.get(i));
                String victim = victims.get(i);
                assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(victim, killed)))
                        .as("%s runs again", victim)
                        .isTrue();
            }
            for (var client : clients) {
                client.get();
            }
        }
    }

    private static Answer untilAnswered(Request request) {
        var answer = new Answer[1];
        boolean answered = Deadline.in(PATIENCE).until(PAUSE, () -> {
            try {
                answer[0] = request.send();
                return answer[0].status() < 429;
            } catch (IOException e) {
                return false;
            }
        });
        if (!answered) {
            throw new UncheckedIOException(new IOException("no answer: " + answer[0]));
        }
        return answer[0];
    }
}
