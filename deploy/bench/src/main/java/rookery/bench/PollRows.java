// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;

/** Polls that wait, and a server without users. */
final class PollRows {
    private static final int CLIENTS = 32;
    private static final int SHARING = 10;
    private static final Duration LONG_POLL = Duration.ofSeconds(30);
    private static final Duration SHORT_POLL = Duration.ofSeconds(5);
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(4);

    private final RowsOptions options;
    private final TenantAddress site;
    private final List<Session> people;

    PollRows(RowsOptions options, TenantAddress site, List<Session> people) {
        this.options = options;
        this.site = site;
        this.people = people;
    }

    static Map<String, Object> idle(RowsOptions options) {
        LockSupport.parkNanos(options.warmUp.toNanos());
        return shares(waited(options, options.length));
    }

    Map<String, Object> parked() throws IOException {
        try (var polls = begin(LONG_POLL)) {
            LockSupport.parkNanos(options.warmUp.toNanos());
            polls.takeAnswered();
            return result(polls, waited(options, LONG_POLL));
        }
    }

    /** All polls of the measured time are renewals. */
    Map<String, Object> renewals() throws IOException {
        try (var polls = begin(SHORT_POLL)) {
            LockSupport.parkNanos(options.warmUp.toNanos());
            polls.takeAnswered();
            return result(polls, waited(options, options.length));
        }
    }

    private ParkedPolls begin(Duration timeout) throws IOException {
        int rooms = Math.max(1, people.size() / SHARING);
        Parallel.run(
                CLIENTS,
                0,
                rooms,
                i -> SyncApplication.room(people.subList(i * SHARING, Math.min(people.size(), (i + 1) * SHARING))));
        var since = new ConcurrentHashMap<Integer, String>();
        Parallel.run(
                CLIENTS,
                0,
                people.size(),
                i -> since.put(
                        i,
                        SyncApplication.next(
                                people.get(i).sync(SyncQuery.initial().whileUnseen()))));
        var gateways = SyncApplication.gateways(options.data);
        var polls = new ParkedPolls(site, timeout);
        for (int i = 0; i < people.size(); i++) {
            polls.add(gateways.get(i % gateways.size()), people.get(i), since.getOrDefault(i, ""));
            LockSupport.parkNanos(BETWEEN_POLLS.toNanos());
        }
        return polls;
    }

    private static Map<String, Object> result(ParkedPolls polls, Costs.ResourceUsage used) {
        var numbers = new LinkedHashMap<String, Object>();
        int answered = polls.takeAnswered();
        numbers.put("answered", answered);
        numbers.put("failed", polls.failures().size());
        numbers.put("cpu_ms_each", used.servers() * 1000 / Math.max(1, answered));
        numbers.putAll(shares(used));
        return numbers;
    }

    private static Costs.ResourceUsage waited(RowsOptions options, Duration length) {
        var costs = Costs.begin(options.data);
        LockSupport.parkNanos(length.toNanos());
        return costs.used();
    }

    private static Map<String, Object> shares(Costs.ResourceUsage used) {
        var numbers = new LinkedHashMap<String, Object>();
        double seconds = used.time().toNanos() / 1e9;
        numbers.put("percent_of_a_processor", used.servers() * 100 / seconds);
        used.byServer().forEach((server, cpu) -> numbers.put("percent " + server, cpu * 100 / seconds));
        numbers.put("noise_processors", used.noise());
        return numbers;
    }
}
