// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;

/** The requests of a noisy tenant, an open loop that never waits for answers. */
final class Noise implements AutoCloseable {
    private static final int USERS = 50;
    private static final int ROOMS = 20;
    private static final int FILE_BYTES = 100_000;
    /** Requests without an answer; beyond this number the noise leaves requests out, as a client without sockets would. */
    private static final int OPEN_MAX = 2_000;

    /** Repeats what the tenant's limit refuses. */
    private final Http patient;

    private final List<Session> people = new ArrayList<>();
    private final String room;
    private final String file;
    private final RawConnections connections;
    private final RawConnections uploads;
    private final HttpServer pushGateway;
    private final AtomicInteger pushes = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong(1L << 50));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** The kinds of requests. */
    enum Kind {
        SENDS,
        LOGINS,
        COLD_SYNCS,
        UPLOADS,
        /** Sends to a room of which every member has a pusher. */
        PUSHES
    }

    /** The answers to the requests of a period, by status; 0 counts requests without an answer or not sent. */
    static final class Counts {
        private final Map<Integer, Integer> byStatus = new LinkedHashMap<>();

        synchronized void add(int status) {
            byStatus.merge(status, 1, Integer::sum);
        }

        @Override
        public synchronized String toString() {
            return byStatus.toString();
        }
    }

    /** Registers the users, who share rooms. */
    Noise(TenantAddress site) throws IOException {
        connections = new RawConnections(site);
        uploads = new RawConnections(site.withPrefix("/_matrix/media"));
        patient = Http.waiting(
                site,
                refused -> TimeUnit.MILLISECONDS.sleep(
                        refused.json().path("retry_after_ms").asLong(1_000)));
        for (int i = 0; i < USERS; i++) {
            people.add(Session.register(patient, "noisy-" + i));
        }
        String first = "";
        for (int i = 0; i < ROOMS; i++) {
            var shared = people.getFirst().createRoom(Map.of("preset", "public_chat", "name", "noise " + i));
            first = i == 0 ? shared : first;
            for (var person : people.subList(1, i == 0 ? USERS : USERS / 5)) {
                person.join(shared);
            }
        }
        room = first;
        var bytes = new byte[FILE_BYTES];
        new SecureRandom().nextBytes(bytes);
        file = Base64.getEncoder().encodeToString(bytes);
        pushGateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        pushGateway.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            pushes.incrementAndGet();
            var answer = "{\"rejected\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        pushGateway.setExecutor(threads);
        pushGateway.start();
    }

    /** Gives each user a pusher at a gateway of this process. */
    void setPushers() throws IOException {
        var url = "http://127.0.0.1:%d/_matrix/push/v1/notify"
                .formatted(pushGateway.getAddress().getPort());
        for (var person : people) {
            person.post(
                    "/v3/pushers/set",
                    Map.of(
                            "kind", "http",
                            "app_id", "bench",
                            "pushkey", person.deviceId(),
                            "app_display_name", "bench",
                            "device_display_name", "bench",
                            "lang", "en",
                            "data", Map.of("url", url)));
        }
    }

    void removePushers() throws IOException {
        for (var person : people) {
            var pusher = new LinkedHashMap<String, Object>();
            pusher.put("app_id", "bench");
            pusher.put("pushkey", person.deviceId());
            pusher.put("kind", null);
            person.post("/v3/pushers/set", pusher);
        }
    }

    int pushes() {
        return pushes.get();
    }

    /** Sends requests at a steady rate, and does not wait for the last answers. */
    Counts make(Kind kind, double perSecond, Duration length) {
        var counts = new Counts();
        long begunNanos = System.nanoTime();
        int requests = (int) (perSecond * length.toMillis() / 1000);
        for (int i = 0; i < requests; i++) {
            long dueNanos = begunNanos + (long) (i * 1e9 / perSecond);
            LockSupport.parkNanos(Math.max(0, dueNanos - System.nanoTime()));
            var person = people.get(i % people.size());
            if (open.incrementAndGet() > OPEN_MAX) {
                open.decrementAndGet();
                counts.add(0);
                continue;
            }
            threads.execute(() -> request(kind, person, counts));
        }
        return counts;
    }

    private void request(Kind kind, Session person, Counts counts) {
        int status = 0;
        try {
            status = answer(kind, person).status();
        } catch (IOException | UnexpectedAnswerException _) {
            // counted as 0
        } finally {
            open.decrementAndGet();
            counts.add(status);
        }
    }

    private Answer answer(Kind kind, Session person) throws IOException {
        return switch (kind) {
            case SENDS, PUSHES ->
                connections.call(
                        person,
                        "PUT",
                        Paths.room(room, "/send/m.room.message/noise-" + numbers.incrementAndGet()),
                        "{\"msgtype\":\"m.text\",\"body\":\"noise\"}");
            case LOGINS ->
                connections.call(person, "POST", "/v3/login", """
                        {"type":"m.login.password","identifier":{"type":"m.id.user","user":"%s"},"password":"%s",\
                        "device_id":"noise"}""".formatted(person.userId(), Session.PASSWORD));
            case COLD_SYNCS ->
                connections.call(person, "GET", SyncQuery.initial().path(), "");
            case UPLOADS -> uploads.call(person, "POST", "/v3/upload", numbers.incrementAndGet() + file);
        };
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        pushGateway.stop(0);
        patient.close();
        connections.close();
        uploads.close();
    }
}
