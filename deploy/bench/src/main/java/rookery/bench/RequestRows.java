// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;

/** Requests in closed loops, over connections that need little CPU. */
final class RequestRows {
    static final int CLIENTS = 32;
    static final int OWNERS = 4;
    private static final Duration FIRST = Duration.ofSeconds(12);
    private static final int ROOMS = 200;
    private static final int CHANGED = 10;

    private final RowsOptions options;
    private final TenantAddress site;
    private final List<Session> people;
    private final AtomicLong bytes = new AtomicLong();

    /** A request of a client over the client's connection. */
    private interface Request {
        Answer send(RawConnection connection, int client) throws IOException;
    }

    RequestRows(RowsOptions options, TenantAddress site, List<Session> people) {
        this.options = options;
        this.site = site;
        this.people = people;
    }

    Map<String, Object> whoami() throws IOException {
        Request request = (connection, _) -> connection.get("/v3/account/whoami");
        var numbers = new LinkedHashMap<String, Object>();
        loop("first_", people, FIRST, request, numbers);
        loop("", people, options.warmUp, request, new LinkedHashMap<>());
        loop("warm_", people, options.length, request, numbers);
        return numbers;
    }

    Map<String, Object> quiet() throws IOException {
        SyncApplication.room(people);
        var filters = new ArrayList<String>();
        var since = new String[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            filters.add(WebUser.storeFilter(people.get(i)));
            since[i] = SyncApplication.next(people.get(i).sync(SyncQuery.initial()));
        }
        Request request = (connection, client) -> {
            var answer = connection.get(
                    SyncQuery.since(since[client]).filtered(filters.get(client)).path());
            if (answer.isOk()) {
                since[client] = SyncApplication.next(answer.json());
            }
            return answer;
        };
        return warmAndMeasured(people, request);
    }

    /** The same token again and again: the changes since are the same in every answer. */
    Map<String, Object> changed() throws IOException {
        var reader = people.getLast();
        var rooms = new String[ROOMS];
        Parallel.run(OWNERS, 0, ROOMS, i -> {
            var owner = people.get(i % OWNERS);
            rooms[i] = owner.createRoom(Map.of("preset", "public_chat", "name", "room " + i));
            reader.join(rooms[i]);
        });
        var filter = WebUser.storeFilter(reader);
        var since = SyncApplication.next(reader.sync(SyncQuery.initial()));
        for (int i = 0; i < CHANGED; i++) {
            people.get(i % OWNERS).say(rooms[i], "changed");
        }
        reader.syncUntil(since, answer -> answer.path("rooms").path("join").size() == CHANGED);
        var path = SyncQuery.since(since).filtered(filter).path();
        return warmAndMeasured(List.of(reader), (connection, _) -> connection.get(path));
    }

    private Map<String, Object> warmAndMeasured(List<Session> clients, Request request) throws IOException {
        var numbers = new LinkedHashMap<String, Object>();
        loop("", clients, options.warmUp, request, new LinkedHashMap<>());
        loop("", clients, options.length, request, numbers);
        return numbers;
    }

    private void loop(String name, List<Session> clients, Duration length, Request request, Map<String, Object> numbers)
            throws IOException {
        var connections = new ArrayList<RawConnection>();
        try {
            for (var client : clients) {
                connections.add(new RawConnection(site, client));
            }
            bytes.set(0);
            var costs = Costs.begin(options.data);
            var result = new ClosedLoop(clients.size(), length).run(client -> {
                var answer = request.send(connections.get(client), client);
                bytes.addAndGet(answer.text().length());
                return answer;
            });
            var used = costs.used();
            int answered = Math.max(1, result.answered());
            numbers.put(name + "per_second", result.perSecond());
            numbers.put(name + "failed", result.failed());
            numbers.put(name + "ms", result.latencies().summary());
            numbers.put(name + "bytes_each", bytes.get() / answered);
            used.numbers(answered).forEach((key, value) -> numbers.put(name + key, value));
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }
}
